import * as z from 'zod/mini'
import { registrationBody } from '#contract/auth.ts'
import { messages } from '#contract/messages.ts'
import { problemsOf, type FormValues, type Problems } from '#web/features/forms/problems.rules.ts'
import type { RegistrationField } from './registration-fields.rules.ts'

// The level is chosen beside the form and the bot-check token comes when it is sent.
const fieldsOfBody = z.omit(registrationBody, { levelKey: true, recaptchaToken: true })

/** The contract's rules, and what only the form asks for: the password again and the terms. */
export function checkRegistration(values: FormValues<RegistrationField>): Problems<RegistrationField> {
  const { password, confirmPassword, agree } = values
  const problems: Problems<RegistrationField> = problemsOf(fieldsOfBody, values)
  if (!confirmPassword) problems.confirmPassword = messages.confirmPassword.required
  else if (confirmPassword !== password) problems.confirmPassword = messages.confirmPassword.mismatch
  if (!agree) problems.agree = messages.agree.required
  return problems
}
