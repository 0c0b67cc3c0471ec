import * as z from 'zod/mini'
import { registrationBody } from '#contract/public/auth.ts'
import { messages } from '#contract/messages.ts'
import { validate, type FormValues, type FieldErrors } from '#web/forms/validate.rules.ts'
export { checkControls } from '#web/shared/member-record/check-record.rules.ts'
import type { RegistrationField } from './registration-fields.rules.ts'

// The level is chosen outside the form, and the bot-check token is requested on submit.
const fieldsOfBody = z.omit(registrationBody, { levelKey: true, recaptchaToken: true })

/** The contract's rules, plus the form's own: the repeated password and the terms. */
export function checkRegistration(values: FormValues<RegistrationField>): FieldErrors<RegistrationField> {
  const { password, confirmPassword, agree } = values
  const problems: FieldErrors<RegistrationField> = validate(fieldsOfBody, values)
  if (!confirmPassword) problems.confirmPassword = messages.confirmPassword.required
  else if (confirmPassword !== password) problems.confirmPassword = messages.confirmPassword.mismatch
  if (!agree) problems.agree = messages.agree.required
  return problems
}
