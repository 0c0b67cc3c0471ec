import { changePasswordBody } from '#contract/public/account-changes.ts'
import { messages } from '#contract/messages.ts'
import { validate, type FormValues, type FieldErrors } from '#web/forms/validate.rules.ts'

/** In the order in which errors are reported. */
export const PASSWORD_FIELDS = ['currentPassword', 'newPassword', 'confirmPassword'] as const
type PasswordFieldName = (typeof PASSWORD_FIELDS)[number]

export function checkPasswords(values: FormValues<PasswordFieldName>): FieldErrors<PasswordFieldName> {
  const problems: FieldErrors<PasswordFieldName> = validate(changePasswordBody, values)
  if (values.confirmPassword !== values.newPassword) problems.confirmPassword = messages.changePassword.mismatch
  return problems
}
