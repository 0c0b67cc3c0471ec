import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { emailField, lineField, passwordProofField } from './fields.ts'
import { messages } from './messages.ts'

export const changeEmailBody = z.object({ email: emailField, password: passwordProofField(messages.password) })

/** Additive. Says nothing about who has an account: a taken address answers the same, and its owner gets a note instead (as decision B2). */
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
  reply: z.object({ email: z.string() }),
  failures: ['EMAIL_LINK_INVALID'],
})
