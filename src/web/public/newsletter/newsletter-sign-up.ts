import { CallFailure } from '#web/api/call-failure.ts'
import type { BotCheckSettings } from '#web/features/auth/bot-check-script.ts'
import { getBotCheckToken } from '#web/features/auth/bot-check.ts'
import { askForNewsletter } from './newsletter-calls.ts'

/** The sentence of the failure; undefined when it was sent. */
export async function signUp(
  { email, source }: { email: string; source: string },
  botCheckSettings: BotCheckSettings,
): Promise<string | undefined> {
  if (!email) return 'Please enter your email address'
  try {
    const recaptchaToken = await getBotCheckToken('newsletter_subscribe', botCheckSettings)
    await askForNewsletter({ email, source, recaptchaToken })
    return undefined
  } catch (failure) {
    if (failure instanceof CallFailure && failure.kind === 'refused')
      return failure.sentence ?? 'Something went wrong. Please try again.'
    return 'Network error. Please check your connection and try again.'
  }
}
