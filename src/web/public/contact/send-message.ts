import { sendMessage as endpoint } from '#contract/contact.ts'
import { call } from '#web/api/call.ts'

interface Message {
  name: string
  email: string
  subject: string
  message: string
  recaptchaToken: string
}

/** Fetched when the form is used: it brings the contract along. Answers what to say. @throws {CallFailure} */
export async function sendMessage(body: Message): Promise<string> {
  return (await call(endpoint, { body })).message
}
