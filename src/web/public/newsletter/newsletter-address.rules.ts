import { unsubscribe } from '#contract/public/newsletter.ts'
import { validate, type FormValues, type FieldErrors } from '#web/forms/validate.rules.ts'

/** Uses the error messages of the newsletter pages. */
export function checkNewsletterAddress(values: FormValues<'email'>): FieldErrors<'email'> {
  return unsubscribe.body ? validate(unsubscribe.body, values) : {}
}
