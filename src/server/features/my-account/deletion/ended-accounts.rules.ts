type Payload = Record<string, unknown>

/** Replies to a person who uses the address now; it may not be the member whose account ended. */
const REPLIES = new Set([
  'email.verification',
  'email.already_registered',
  'email.contact_received',
  'email.message_reply',
  'email.newsletter_confirmation',
  'email.rsvp_receipt',
  'email.sponsor_thanks',
])
/** RSVP emails that reply to the guest. */
const RSVP_REPLIES = ['said', 'again', 'changed', 'cancelled']
/** Emails that only remind or ask. */
const REMINDERS = new Set(['email.membership_reminder', 'email.credentials_question', 'email.invitation'])

/**
 * Whether an email may go to an address whose account officers ended. After a death, only replies to a new user of the
 * address are sent; a member who asked for the end gets no reminders.
 */
export function mayEmailEndedAccount(ending: 'request' | 'deceased', kind: string, { about }: Payload): boolean {
  if (ending === 'request') return !REMINDERS.has(kind) && !(kind === 'email.rsvp' && about === 'reminder')
  return REPLIES.has(kind) || (kind === 'email.rsvp' && RSVP_REPLIES.includes(String(about)))
}
