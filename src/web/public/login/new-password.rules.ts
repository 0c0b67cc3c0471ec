import * as z from 'zod/mini'
import { newPasswordField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { validate, type FormValues, type FieldErrors } from '#web/forms/validate.rules.ts'

type NewPasswordFieldName = 'newPassword' | 'confirmPassword'

const body = z.object({ newPassword: newPasswordField })

export function checkNewPassword(values: FormValues<NewPasswordFieldName>): FieldErrors<NewPasswordFieldName> {
  const problems: FieldErrors<NewPasswordFieldName> = validate(body, values)
  if (values.confirmPassword !== values.newPassword) problems.confirmPassword = messages.confirmPassword.mismatch
  return problems
}
