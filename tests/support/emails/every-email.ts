import { EMAILS } from '#server/composition/effects.ts'
import type { Email } from '#server/emails/email.ts'
import { association } from '../association.ts'

export { association }

/** A sample of every email of the site and each of its variants, by label, with the given name. */
export function everyEmail(name: string): Record<string, Email> {
  return Object.fromEntries(EMAILS.flatMap((email) => Object.entries(email.samples(name, association))))
}
