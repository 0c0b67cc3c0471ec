import * as z from 'zod/mini'
import { newPasswordField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { problemsOf, type FormValues, type Problems } from '#web/features/forms/problems.rules.ts'

/** The fields of the reset form in the order of specification 5. */
export const newPasswordFields = ['newPassword', 'confirmPassword'] as const
export type NewPasswordFieldName = (typeof newPasswordFields)[number]

const body = z.object({ newPassword: newPasswordField })

export function checkNewPassword(values: FormValues<NewPasswordFieldName>): Problems<NewPasswordFieldName> {
  const problems: Problems<NewPasswordFieldName> = problemsOf(body, values)
  if (values.confirmPassword !== values.newPassword) problems.confirmPassword = messages.confirmPassword.mismatch
  return problems
}
