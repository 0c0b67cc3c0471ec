type Payload = Record<string, unknown>

/** Emails that answer somebody who uses an address now, whoever had it before. */
const ANSWERS = new Set([
  'letter.verification',
  'letter.already_registered',
  'letter.contact_received',
  'letter.message_answer',
  'letter.newsletter_asked',
  'letter.rsvp_receipt',
  'letter.sponsor_thanks',
])
/** Of emails about an RSVP, those that answer its guest. */
const RSVP_ANSWERS = ['said', 'again', 'changed', 'cancelled']
/** Emails that only remind or ask something. */
const REMINDERS = new Set(['letter.membership_notice', 'letter.credentials_question', 'letter.invitation'])

/**
 * Whether an email may go to an address whose account officers ended. Nothing goes to somebody who died, except to whoever uses the address and asks for
 * it; somebody who asked for the end gets no reminders.
 */
export function mayWriteAfter(ending: 'request' | 'deceased', kind: string, { about }: Payload): boolean {
  if (ending === 'request') return !REMINDERS.has(kind) && !(kind === 'letter.rsvp' && about === 'reminder')
  return ANSWERS.has(kind) || (kind === 'letter.rsvp' && RSVP_ANSWERS.includes(String(about)))
}
