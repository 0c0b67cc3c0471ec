import type { Association } from '#contract/public/association.ts'
import { refundTerms } from '#contract/public/rsvp-money.ts'
import type { Email } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { rsvpEmail, type RsvpEmailContent } from './rsvp-text.emails.ts'
import type { RsvpEmailKind } from '../rsvp.emails.ts'

/** Every RSVP email with another text, by its label. */
const SAMPLES: Record<string, [about: RsvpEmailKind, content?: Partial<RsvpEmailContent>]> = {
  'to confirm': ['confirm'],
  'to confirm, waitlist': ['confirm', { heldUntil: null, isWaiting: true }],
  confirmed: ['said'],
  waitlisted: ['said', { isWaiting: true, paid: null, refund: null }],
  'sent again': ['again'],
  'seat ready': ['promoted'],
  'seat ready, to be paid': [
    'promoted',
    { amountDue: { amount: '$75', by: 'December 12, 2026 at 6:00 PM' }, paid: null, refund: null, meals: [] },
  ],
  'seats released': ['lapsed'],
  'changed, with tickets': ['changed', { tickets: ['2 × Adult', '1 × Child'] }],
  changed: ['changed'],
  canceled: ['cancelled'],
  'removed by an officer': ['removed'],
  'event canceled': ['called-off'],
  reminder: ['reminder'],
  certificate: ['certificate'],
}

export function rsvpSamples(name: string, association: Association): Record<string, Email> {
  const content: RsvpEmailContent = {
    name,
    guests: 1,
    meals: [name, name],
    tickets: [],
    isWaiting: false,
    heldUntil: 'December 12, 2026 at 6:30 PM EST',
    amountDue: null,
    paid: '$50',
    refund: refundTerms('2026-12-12'),
    event: { title: name, date: 'December 19, 2026', time: name, location: name, address: name },
    creditHours: 1.5,
    note: name,
    cancellation: { announcement: name, goesBack: '$50' },
    url: SAMPLE_URL,
    eventUrl: SAMPLE_URL,
  }
  return Object.fromEntries(
    Object.entries(SAMPLES).map(([label, [about, given]]) => [
      `RSVP: ${label}`,
      rsvpEmail(about, { ...content, ...given }, association),
    ]),
  )
}
