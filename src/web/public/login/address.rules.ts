import * as z from 'zod/mini'
import { emailField } from '#contract/fields.ts'
import { validate, type FormValues, type FieldErrors } from '#web/forms/validate.rules.ts'

const body = z.object({ email: emailField })

/** The rule for forms whose only field is an email address. */
export function checkAddress(values: FormValues<'email'>): FieldErrors<'email'> {
  return validate(body, values)
}
