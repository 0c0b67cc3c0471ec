import type { EmailPurpose } from '#server/emails/define-email.ts'

/**
 * Whether an email may go to an address whose account officers ended. After a death, only replies to a new user of the
 * address are sent; a member who asked for the end gets no reminders.
 */
export function mayEmailEndedAccount(ending: 'request' | 'deceased', purpose: EmailPurpose): boolean {
  return ending === 'request' ? purpose !== 'reminder' : purpose === 'reply'
}
