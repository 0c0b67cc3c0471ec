import { register } from '#contract/auth.ts'
import { listLevels } from '#contract/membership.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { BotCheckFailure } from '#web/features/auth/bot-check.ts'
import { keepTempUser } from '#web/features/auth/temp-user.ts'
import type { FormValues } from '#web/features/forms/problems.rules.ts'
import type { RegistrationField } from './registration.rules.ts'

class Unreachable extends Error {}

interface Registration {
  values: FormValues<RegistrationField>
  levelKey: string
  botCheck(action: 'registration'): Promise<string>
}

/**
 * Bot check, then whether the API can be reached, then the registration itself (specification 4).
 * @throws what `explainRegistration` puts into words.
 */
export async function registerPerson({ values, levelKey, botCheck }: Registration): Promise<void> {
  const { email, username, firstName, lastName, password } = values
  const recaptchaToken = await botCheck('registration')
  await call(listLevels).catch((cause: unknown) => {
    throw new Unreachable('No answer', { cause })
  })
  await call(register, { body: { email, username, firstName, lastName, password, levelKey, recaptchaToken } })
  keepTempUser({ email: email.trim(), name: { first: firstName.trim() } })
}

const SENTENCES = {
  botCheck: 'Security verification failed. Please refresh the page and try again.',
  unreachable: 'Unable to connect to the server. Please check your internet connection and try again.',
  unreadable: 'Failed to create user account',
  otherwise: 'Registration failed. Please try again.',
}

/** The sentences of specification 8 for a registration. */
export function explainRegistration(failure: unknown): string {
  if (failure instanceof BotCheckFailure) return SENTENCES.botCheck
  if (failure instanceof Unreachable) return SENTENCES.unreachable
  if (!(failure instanceof CallFailure)) return SENTENCES.otherwise
  const { kind, sentence, status, statusText } = failure
  if (kind === 'network') return SENTENCES.unreachable
  if (sentence) return sentence
  return status >= 400 ? `Server error: ${status} ${statusText}`.trim() : SENTENCES.unreadable
}
