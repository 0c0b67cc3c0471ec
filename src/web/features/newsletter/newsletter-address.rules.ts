import { unsubscribe } from '#contract/newsletter.ts'
import { problemsOf, type FormValues, type Problems } from '#web/features/forms/problems.rules.ts'

/** With the sentences of the newsletter pages. */
export function checkNewsletterAddress(values: FormValues<'email'>): Problems<'email'> {
  return unsubscribe.body ? problemsOf(unsubscribe.body, values) : {}
}
