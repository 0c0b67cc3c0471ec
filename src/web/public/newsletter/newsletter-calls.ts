import {
  confirmSubscription,
  unsubscribeByLink as leaveWithToken,
  subscribe,
  unsubscribe,
} from '#contract/public/newsletter.ts'
import { call } from '#web/api/call.ts'

/** Loaded on demand because it imports the contract. The first two return the server's message. @throws {CallFailure} */
export async function requestSubscription(body: {
  email: string
  source: string
  recaptchaToken: string
}): Promise<string> {
  return (await call(subscribe, { body })).message
}

export async function unsubscribeAddress(email: string): Promise<string> {
  return (await call(unsubscribe, { body: { email } })).message
}

export async function confirmSubscriptionWithToken(token: string): Promise<void> {
  await call(confirmSubscription, { body: { token } })
}

export async function unsubscribeWithToken(token: string): Promise<void> {
  await call(leaveWithToken, { body: { token } })
}
