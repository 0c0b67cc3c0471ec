import { confirmSubscription, leaveNewsletter as leaveWithToken, subscribe, unsubscribe } from '#contract/newsletter.ts'
import { call } from '#web/api/call.ts'

/** Fetched when a form is sent: it brings the contract along. Each answers the server's sentence. @throws {CallFailure} */
export async function askForNewsletter(body: {
  email: string
  source: string
  recaptchaToken: string
}): Promise<string> {
  return (await call(subscribe, { body })).message
}

export async function leaveNewsletter(email: string): Promise<string> {
  return (await call(unsubscribe, { body: { email } })).message
}

export async function confirmNewsletter(token: string): Promise<void> {
  await call(confirmSubscription, { body: { token } })
}

export async function leaveByLink(token: string): Promise<void> {
  await call(leaveWithToken, { body: { token } })
}
