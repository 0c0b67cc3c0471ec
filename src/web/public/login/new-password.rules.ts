import * as z from 'zod/mini'
import { newPasswordField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { problemsOf, type FormValues, type Problems } from '#web/features/forms/problems.rules.ts'

type NewPasswordFieldName = 'newPassword' | 'confirmPassword'

const body = z.object({ newPassword: newPasswordField })

/** The reset form's rules. */
export function checkNewPassword(values: FormValues<NewPasswordFieldName>): Problems<NewPasswordFieldName> {
  const problems: Problems<NewPasswordFieldName> = problemsOf(body, values)
  if (values.confirmPassword !== values.newPassword) problems.confirmPassword = messages.confirmPassword.mismatch
  return problems
}
