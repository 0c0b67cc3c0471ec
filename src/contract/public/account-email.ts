import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { emailField, lineField, passwordProofField } from './fields.ts'
import { messages } from './messages.ts'

export const changeEmailBody = z.object({ email: emailField, password: passwordProofField(messages.password) })

/** Additive. Says nothing about who has an account: a taken address answers the same, and its owner gets a note instead (docs/product-rules.md#one-account-per-address). */
export const changeEmail = endpoint({
  name: 'changeEmail',
  method: 'POST',
  path: '/api/account/email',
  access: 'member',
  summary: 'Ask for another email address; it counts once it was confirmed by the letter that goes there',
  body: changeEmailBody,
  reply: z.object({ message: z.string() }),
  failures: [],
})

/** By the link's token; works once, in whatever browser the letter is read. */
export const confirmEmail = endpoint({
  name: 'confirmEmail',
  method: 'POST',
  path: '/api/account/email/confirm',
  access: 'anyone',
  summary: 'Confirm the new email address of an account',
  body: z.object({ token: lineField(messages.link.required, 512) }),
  reply: z.object({
    email: z.string(),
    /** For a change that officers asked for: the former password no longer works, and this chooses the next one, as a reset link does. */
    choosePassword: z.nullable(z.object({ token: z.string(), userId: z.string() })),
  }),
  failures: ['EMAIL_LINK_INVALID'],
})

/** By the link that goes to the present address when officers asked for another one. */
export const stopEmailChange = endpoint({
  name: 'stopEmailChange',
  method: 'POST',
  path: '/api/account/email/stop',
  access: 'anyone',
  summary: 'Stop a change of address that officers asked for and the owner does not want',
  body: z.object({ token: lineField(messages.link.required, 512) }),
  reply: z.object({ success: z.literal(true) }),
  failures: ['EMAIL_STOP_INVALID'],
})
