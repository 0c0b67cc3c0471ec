import { changePasswordBody } from '#contract/account-changes.ts'
import { messages } from '#contract/messages.ts'
import { problemsOf, type FormValues, type Problems } from '#web/features/forms/problems.rules.ts'

/** In the order in which errors are reported. */
export const PASSWORD_FIELDS = ['currentPassword', 'newPassword', 'confirmPassword'] as const
type PasswordFieldName = (typeof PASSWORD_FIELDS)[number]

/** The change-password form's rules. */
export function checkPasswords(values: FormValues<PasswordFieldName>): Problems<PasswordFieldName> {
  const problems: Problems<PasswordFieldName> = problemsOf(changePasswordBody, values)
  if (values.confirmPassword !== values.newPassword) problems.confirmPassword = messages.changePassword.mismatch
  return problems
}
