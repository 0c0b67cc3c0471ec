import { register } from '#contract/auth.ts'
import { listLevels } from '#contract/membership.ts'
import { call } from '#web/api/call.ts'
import { keepTempUser } from '#web/features/auth/temp-user.ts'
import type { FormValues } from '#web/features/forms/problems.rules.ts'
import type { RegistrationField } from './registration-fields.rules.ts'
import { Unreachable } from './registration-failure.ts'

interface Registration {
  values: FormValues<RegistrationField>
  levelKey: string
  botCheck(action: 'registration'): Promise<string>
}

/**
 * Bot check, then whether the API can be reached, then the registration itself.
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
