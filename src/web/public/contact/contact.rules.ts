import { contactBody } from '#contract/public/contact.ts'
import { validate, type FormValues, type FieldErrors } from '#web/forms/validate.rules.ts'

export type ContactField = 'name' | 'email' | 'subject' | 'message'

export function checkMessage(values: FormValues<ContactField>): FieldErrors<ContactField> {
  return validate(contactBody, values)
}
