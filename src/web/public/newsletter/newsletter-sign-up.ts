import { CallFailure } from '#web/api/call-failure.ts'
import type { BotCheckSettings } from '#web/session/bot-check-script.ts'
import { getBotCheckToken } from '#web/session/bot-check.ts'
import { requestSubscription } from './newsletter-calls.ts'

/** Returns the error message, or undefined on success. */
export async function signUp(
  { email, source }: { email: string; source: string },
  botCheckSettings: BotCheckSettings,
): Promise<string | undefined> {
  if (!email) return 'Please enter your email address'
  try {
    const recaptchaToken = await getBotCheckToken('newsletter_subscribe', botCheckSettings)
    await requestSubscription({ email, source, recaptchaToken })
    return undefined
  } catch (failure) {
    if (failure instanceof CallFailure && failure.kind === 'refused')
      return failure.serverMessage ?? 'Something went wrong. Please try again.'
    return 'Network error. Please check your connection and try again.'
  }
}
