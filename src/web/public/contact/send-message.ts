import { sendMessage as endpoint } from '#contract/public/contact.ts'
import { call } from '#web/api/call.ts'

interface Message {
  name: string
  email: string
  subject: string
  message: string
  recaptchaToken: string
}

/** Loaded on demand because it imports the contract. Returns the message to show. @throws {CallFailure} */
export async function sendMessage(body: Message): Promise<string> {
  return (await call(endpoint, { body })).message
}
