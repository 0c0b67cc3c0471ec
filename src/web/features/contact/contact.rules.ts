import { contactBody } from '#contract/contact.ts'
import { problemsOf, type FormValues, type Problems } from '#web/features/forms/problems.rules.ts'

export type ContactField = 'name' | 'email' | 'subject' | 'message'

export function checkMessage(values: FormValues<ContactField>): Problems<ContactField> {
  return problemsOf(contactBody, values)
}
