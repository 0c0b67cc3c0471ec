import { register } from '#contract/public/auth.ts'
import { listLevels } from '#contract/public/membership.ts'
import { call } from '#web/api/call.ts'
import { storePendingRegistration } from '../verification/pending-registration.ts'
import type { FormValues } from '#web/forms/validate.rules.ts'
import type { RegistrationField } from './registration-fields.rules.ts'
import { UnreachableError } from './registration-error.ts'

interface Registration {
  values: FormValues<RegistrationField>
  levelKey: string
  /** Values of the member record by the key of their field. */
  record: Record<string, unknown>
  botCheck(action: 'registration'): Promise<string>
}

/**
 * Runs the bot check, then checks that the API is reachable, then registers.
 * @throws errors for `registrationErrorMessage`
 */
export async function submitRegistration({ values, levelKey, record, botCheck }: Registration): Promise<void> {
  const { email, username, firstName, lastName, password } = values
  const recaptchaToken = await botCheck('registration')
  await call(listLevels).catch((cause: unknown) => {
    throw new UnreachableError('No answer', { cause })
  })
  const asked = Object.keys(record).length > 0 && { record }
  const person = { email, username, firstName, lastName, password }
  await call(register, { body: { ...person, levelKey, ...asked, recaptchaToken } })
  storePendingRegistration({ email: email.trim(), name: { first: firstName.trim() } })
}
