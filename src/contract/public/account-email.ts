import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { emailField, lineField, passwordProofField } from '../fields.ts'
import { messages } from '../messages.ts'

export const changeEmailBody = z.object({ email: emailField, password: passwordProofField(messages.password) })

/**
 * Additive. Reveals nothing about other accounts: a taken address gets the same response, and its owner is emailed instead
 * (docs/product-rules.md#one-account-per-address).
 */
export const changeEmail = endpoint({
  name: 'changeEmail',
  method: 'POST',
  path: '/api/account/email',
  access: 'member',
  summary: 'Request another email address; it takes effect once confirmed by an emailed link',
  body: changeEmailBody,
  reply: z.object({ message: z.string() }),
  failures: [],
})

/** Confirms with the token of the emailed link. Works once, in any browser. */
export const confirmEmail = endpoint({
  name: 'confirmEmail',
  method: 'POST',
  path: '/api/account/email/confirm',
  access: 'anyone',
  summary: 'Confirm the new email address of an account',
  body: z.object({ token: lineField(messages.link.required, 512) }),
  reply: z.object({
    email: z.string(),
    /** For a change that officers requested: the old password no longer works, and this sets a new one, as a reset link does. */
    choosePassword: z.nullable(z.object({ token: z.string(), userId: z.string() })),
  }),
  failures: ['EMAIL_LINK_INVALID'],
})

/** With the token of the link sent to the current address when officers requested a change. */
export const stopEmailChange = endpoint({
  name: 'stopEmailChange',
  method: 'POST',
  path: '/api/account/email/stop',
  access: 'anyone',
  summary: 'Stop a change of address that officers requested and the owner does not want',
  body: z.object({ token: lineField(messages.link.required, 512) }),
  reply: z.object({ success: z.literal(true) }),
  failures: ['EMAIL_STOP_INVALID'],
})
