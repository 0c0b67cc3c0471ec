import * as z from 'zod/mini'
import { emailField } from '#contract/fields.ts'
import { problemsOf, type FormValues, type Problems } from '#web/features/forms/problems.rules.ts'

const body = z.object({ email: emailField })

/** The rule of every form that asks for nothing but an address. */
export function checkAddress(values: FormValues<'email'>): Problems<'email'> {
  return problemsOf(body, values)
}
