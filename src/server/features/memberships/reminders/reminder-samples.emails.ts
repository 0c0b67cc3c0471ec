import type { Association } from '#contract/public/association.ts'
import type { Email } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { reminderEmail, type ReminderValues } from './reminder-text.emails.ts'
import type { ReminderKind } from './reminder.rules.ts'

/** Every reminder with another text, by its label. */
const SAMPLES: Record<string, [kind: ReminderKind, values?: Partial<ReminderValues>]> = {
  'before a renewal': ['renewal_45'],
  'before a renewal, card expires': ['renewal_7', { cardExpires: true }],
  'before a term ends': ['term_7'],
  'card declined': ['past_due_0'],
  'card declined, last reminder': ['past_due_13', { daysLeft: 1, nextAttemptDay: null }],
  'renewal paid after all': ['recovered'],
  'renewal canceled': ['stopped'],
  'renewal resumed': ['resumed'],
  'level changed': ['level_changed'],
  ended: ['expired'],
  refunded: ['refunded'],
  'refunded, ended': ['refunded', { membershipOutcome: 'has ended' }],
  'refunded, ends sooner': ['refunded', { membershipOutcome: 'ends sooner' }],
  'refunded, had ended': ['refunded', { membershipOutcome: 'had ended before' }],
  'dispute opened': ['dispute_opened'],
  'dispute closed': ['dispute_closed'],
  'dispute lost': ['dispute_closed', { membershipOutcome: 'has ended' }],
  'dispute lost, ends sooner': ['dispute_closed', { membershipOutcome: 'ends sooner' }],
}

/** Values of a sample reminder; `given` overrides single ones. */
export function sampleReminder(kind: ReminderKind, given: Partial<ReminderValues>, association: Association): Email {
  const values: ReminderValues = {
    firstName: 'Anagha',
    levelName: 'Annual Member',
    aboutDay: 'March 2, 2027',
    daysLeft: 45,
    endsDay: 'March 16, 2027',
    amount: { minorUnits: 10_000, currency: 'usd' },
    card: { brand: 'visa', last4: '4242', expiresMonth: 3, expiresYear: 2030 },
    cardExpires: false,
    nextAttemptDay: 'March 5, 2027',
    membershipOutcome: 'goes on',
  }
  return reminderEmail(kind, { ...values, ...given }, { accountUrl: SAMPLE_URL, plansUrl: SAMPLE_URL }, association)
}

export function reminderSamples(name: string, association: Association): Record<string, Email> {
  return Object.fromEntries(
    Object.entries(SAMPLES).map(([label, [kind, values]]) => [
      `reminder: ${label}`,
      sampleReminder(kind, { firstName: name, levelName: name, ...values }, association),
    ]),
  )
}
