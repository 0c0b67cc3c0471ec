import { refundTerms } from '#contract/public/rsvp-money.ts'
import {
  alreadyRegisteredEmail,
  deactivatedEmail,
  mergedEmail,
  passwordChangedEmail,
  resetEmail,
  verificationEmail,
} from '#server/features/auth/auth.emails.ts'
import { accountDeletedEmail, deletionFailedEmail } from '#server/features/my-account/deletion/deletion.emails.ts'
import {
  addressRequestedEmail,
  emailChangedEmail,
  emailChangeEmail,
} from '#server/features/my-account/email-change/email-change.emails.ts'
import { factorChangedEmail, type FactorChange } from '#server/features/officers/factors/factor.emails.ts'
import { roleAssignedEmail } from '#server/features/officers/officer.emails.ts'
import { answerEmail } from '#server/features/contact/answer.emails.ts'
import { acknowledgementEmail, contactMessageEmail } from '#server/features/contact/contact.emails.ts'
import { rsvpEmail } from '#server/features/rsvps/rsvp-text.emails.ts'
import { importedMemberEmail } from '#server/features/member-admin/import/import-invitation.emails.ts'
import { credentialDecisionEmail, credentialQuestionEmail } from '#server/features/credentials/credential.emails.ts'
import { duplicateRefundEmail, receiptEmail, welcomeEmail } from '#server/features/memberships/membership.emails.ts'
import { paymentEmails } from './payment-emails.ts'
import { seatEmails } from './seat-emails.ts'
import { reminderEmail, type ReminderValues } from '#server/features/memberships/reminders/reminder-text.emails.ts'
import type { ReminderKind } from '#server/features/memberships/reminders/reminder.rules.ts'
import { receiptLines } from '#server/features/memberships/billing/receipt.rules.ts'
import {
  alreadySubscribedEmail,
  confirmationEmail,
  unsubscribedEmail,
} from '#server/features/newsletter/subscribers/newsletter.emails.ts'
import { newSponsorEmail, thankYouEmail, type PaidSponsorship } from '#server/features/sponsors/sponsors.emails.ts'
import { alertEmail } from '#server/alerts/alert.emails.ts'
import type { Email } from '#server/emails/email.ts'

import { association } from '../association.ts'
import { campaignEmails } from './campaign-emails.ts'
import { memberAccountEmails } from './member-account-emails.ts'
import { mergeEmails } from './merge-emails.ts'

export { association }
const PAID_AT = Date.UTC(2026, 11, 31, 23, 30)
const annual = {
  _id: '1',
  key: 'annual_member',
  name: 'Annual Member',
  description: '',
  unitAmount: 10_000,
  currency: 'usd',
  interval: 'year' as const,
  intervalCount: 1,
  isRecurring: true,
}

export const sponsorship = {
  id: 's1',
  name: 'Anagha',
  email: 'a@b.example',
  company: 'Kaveri Labs',
  phone: '404 555 0100',
  message: 'For the gala.',
  tierName: 'Gold',
  amount: 200_000,
  currency: 'usd',
  paidAt: PAID_AT,
  receiptNumber: 'R-2026-ABC',
  remarksMinutes: 3,
  reservedTable: true,
  logoUntil: '2027-12-31',
} as PaidSponsorship
export const receiptOptions = { timeZone: 'America/New_York', taxWording: 'Please ask your tax advisor.' }

const NOTICES: ReminderKind[] = [
  'renewal_45',
  'term_7',
  'past_due_0',
  'recovered',
  'stopped',
  'resumed',
  'level_changed',
  'expired',
  'refunded',
  'dispute_opened',
  'dispute_closed',
]

const factorChanges = (name: string): FactorChange[] => [
  { kind: 'passkey-added', name },
  { kind: 'passkey-removed', name },
  { kind: 'app-added' },
  { kind: 'app-removed' },
  { kind: 'forgotten' },
]

const RSVP_NEWS = [
  'confirm',
  'said',
  'again',
  'promoted',
  'lapsed',
  'changed',
  'cancelled',
  'removed',
  'called-off',
  'reminder',
  'certificate',
] as const

/** An email about a membership; `given` overrides single values. */
export function membershipReminder(kind: ReminderKind, given: Partial<ReminderValues> = {}): Email {
  const words: ReminderValues = {
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
  const url = 'https://example.org/x'
  return reminderEmail(kind, { ...words, ...given }, { accountUrl: url, plansUrl: url }, association)
}

export function receiptFixture(
  name: string,
  given: Partial<Parameters<typeof receiptLines>[0]> = {},
  credit = 0,
): Email {
  const payment = {
    receiptNumber: 'R-2026-ABC',
    reference: 'in_1',
    purpose: 'start' as const,
    paidAt: PAID_AT,
    amount: 10_000,
    currency: 'usd',
    amountRefunded: 0,
    dispute: null,
    voidedAt: null,
    periodEndsAt: null,
    discount: 0,
    couponCode: null,
    ...given,
  }
  const details = receiptLines(payment, {
    name: `${name} ${name}`,
    level: annual,
    credit,
    timeZone: 'America/New_York',
  })
  return receiptEmail(
    name,
    { number: payment.receiptNumber, formattedAmount: '$100', details, notes: ['Write to us.'] },
    association,
  )
}

/** Every email of the site, with the given name. */
export function everyEmail(name: string): Record<string, Email> {
  const person = { firstName: name, lastName: name, username: name, level: annual, timeZone: 'America/New_York' }
  const url = 'https://example.org/x?email=a%40b.example&token=abc'
  return {
    verification: verificationEmail({ ...person, levelName: name }, { url, code: '012345' }, association),
    'already registered': alreadyRegisteredEmail(name, { loginUrl: url, resetUrl: url }, association),
    deactivated: deactivatedEmail(name, association),
    merged: mergedEmail(name, { keptAddress: 'a@b.example', loginUrl: url }, association),
    reset: resetEmail(name, url, association),
    ...mergeEmails(name, url),
    invitation: importedMemberEmail({ firstName: name, email: 'a@b.example', username: name }, url, association),
    ...memberAccountEmails(name, url),
    'role given': roleAssignedEmail(
      { firstName: name, role: 'secretary', startsOn: '2027-01-01', endsOn: '2028-12-31' },
      url,
      association,
    ),
    ...Object.fromEntries(
      factorChanges(name).map((change) => [
        `second factor ${change.kind}`,
        factorChangedEmail({ firstName: name, change, at: PAID_AT, timeZone: 'America/New_York' }, url, association),
      ]),
    ),
    'password changed': passwordChangedEmail(name, url, association),
    'email change': emailChangeEmail(name, url, association),
    'address wanted': addressRequestedEmail(name, url, association),
    'email changed': emailChangedEmail(name, association),
    'account deleted': accountDeletedEmail(name, { day: 'December 31, 2026', isPast: false }, association),
    'account deleted while owing': accountDeletedEmail(name, { day: 'December 31, 2026', isPast: true }, association),
    'account without a term deleted': accountDeletedEmail(name, null, association),
    'deletion failed': deletionFailedEmail(name, url, association),
    welcome: welcomeEmail({ ...person, endsAt: PAID_AT, renews: true }, url, association),
    'welcome for a term': welcomeEmail({ ...person, endsAt: PAID_AT, renews: false }, url, association),
    'welcome for life': welcomeEmail({ ...person, endsAt: null, renews: false }, url, association),
    receipt: receiptFixture(name),
    ...Object.fromEntries(
      NOTICES.map((kind) => [`notice: ${kind}`, membershipReminder(kind, { firstName: name, levelName: name })]),
    ),
    'notice: refunded, ended': membershipReminder('refunded', { membershipOutcome: 'has ended' }),
    'notice: refunded, ends sooner': membershipReminder('refunded', { membershipOutcome: 'ends sooner' }),
    'notice: refunded, had ended': membershipReminder('refunded', { membershipOutcome: 'had ended before' }),
    'notice: dispute lost': membershipReminder('dispute_closed', { membershipOutcome: 'has ended' }),
    'notice: dispute lost, ends sooner': membershipReminder('dispute_closed', { membershipOutcome: 'ends sooner' }),
    'duplicate refunded': duplicateRefundEmail(name, association),
    ...paymentEmails(name, association),
    'to the officers': contactMessageEmail(
      { id: '1', name, email: 'a@b.example', subject: name, message: `${name}\n${name}` },
      association,
    ),
    acknowledgement: acknowledgementEmail(association),
    'newsletter, to confirm': confirmationEmail(url, association),
    'newsletter, already there': alreadySubscribedEmail(url, association),
    'newsletter, left': unsubscribedEmail(url, association),
    'thanks to a sponsor': thankYouEmail(
      { ...sponsorship, name, company: name, tierName: name },
      { ...receiptOptions, taxWording: name },
      association,
    ),
    'thanks for a small amount': thankYouEmail(
      { ...sponsorship, name, remarksMinutes: null, reservedTable: false, logoUntil: null },
      receiptOptions,
      association,
    ),
    'sponsor, to the officers': newSponsorEmail(
      { ...sponsorship, name, company: name, phone: name, message: name },
      'America/New_York',
      association,
    ),
    ...Object.fromEntries(
      RSVP_NEWS.map((about) => [
        `RSVP: ${about}`,
        rsvpEmail(
          about,
          {
            name,
            guests: 1,
            meals: [name, name],
            isWaiting: false,
            heldUntil: 'December 12, 2026 at 6:30 PM EST',
            amountDue: null,
            paid: '$50',
            refund: refundTerms('2026-12-12'),
            event: { title: name, date: 'December 19, 2026', time: name, location: name, address: name },
            creditHours: 1.5,
            cancellation: { announcement: name, goesBack: '$50' },
            url,
            eventUrl: url,
          },
          association,
        ),
      ]),
    ),
    ...Object.fromEntries(
      [true, false].flatMap((isSo) => [
        [
          `credentials, approved: ${isSo}`,
          credentialDecisionEmail(
            { firstName: name, isApproved: isSo, kind: isSo ? 'resident' : 'licence', place: name, reason: name },
            url,
            association,
          ),
        ],
        [
          `question about credentials, training over: ${isSo}`,
          credentialQuestionEmail(
            { firstName: name, question: name, isTrainingOver: isSo },
            { accountUrl: url, levelsUrl: url },
            association,
          ),
        ],
      ]),
    ),
    'RSVP: promoted, to be paid': rsvpEmail(
      'promoted',
      {
        name,
        guests: 1,
        meals: [],
        isWaiting: false,
        heldUntil: null,
        amountDue: { amount: '$75', by: 'December 12, 2026 at 6:00 PM' },
        paid: null,
        refund: null,
        event: { title: name, date: 'December 19, 2026', time: name, location: name, address: null },
        creditHours: null,
        cancellation: null,
        url,
        eventUrl: url,
      },
      association,
    ),
    ...seatEmails(name, url),
    alarm: alertEmail({ kind: 'double-payment', details: { checkout: name } }, association),
    'alarm of many': alertEmail({ kind: 'payment-disputed', details: { payment: name }, isOfMany: true }, association),
    'unknown alarm': alertEmail({ kind: name, details: {} }, association),
    ...campaignEmails(name),
    'message reply': answerEmail(
      {
        message: { subject: name, message: name, receivedAt: PAID_AT },
        answer: { text: `${name}\n\n${name}`, by: name },
        timeZone: 'America/New_York',
      },
      association,
    ),
  }
}
