import { refundSentence } from '#contract/rsvp-money.ts'
import {
  alreadyRegisteredLetter,
  deactivatedLetter,
  mergedLetter,
  passwordChangedLetter,
  resetLetter,
  verificationLetter,
} from '#server/features/auth/auth.emails.ts'
import {
  accountDeletedLetter,
  addressWantedLetter,
  deletionFailedLetter,
  emailChangedLetter,
  emailChangeLetter,
} from '#server/features/account/account.emails.ts'
import { factorLetter, type FactorChange } from '#server/features/console/factor.emails.ts'
import { roleLetter } from '#server/features/console/officer.emails.ts'
import { acknowledgementLetter, officersLetter } from '#server/features/contact/contact.emails.ts'
import { rsvpLetter } from '#server/features/events/rsvp.emails.ts'
import { invitationLetter } from '#server/features/membership/import-invitation.emails.ts'
import { credentialLetter, credentialQuestionLetter } from '#server/features/membership/credential.emails.ts'
import { failedRefundLetter, seatReceiptLetter, seatRefundLetter } from '#server/features/events/rsvp-money.emails.ts'
import { givenBackLetter, receiptLetter, welcomeLetter } from '#server/features/membership/membership.emails.ts'
import { paymentLetters } from './payment-letters.ts'
import { noticeLetter, type NoticeWords } from '#server/features/membership/notice.emails.ts'
import type { NoticeKind } from '#server/features/membership/notice.rules.ts'
import { receiptFacts } from '#server/features/membership/receipt.rules.ts'
import {
  alreadySubscribedLetter,
  confirmationLetter,
  leftLetter,
} from '#server/features/newsletter/newsletter.emails.ts'
import { sponsorshipLetter, thankYouLetter, type PaidSponsorship } from '#server/features/sponsors/sponsors.emails.ts'
import { alarmLetter } from '#server/mail/alarm.emails.ts'
import type { Letter } from '#server/mail/letter.ts'

import { association } from './association.ts'
import { sampleSeats } from './sample-seats.ts'
import { campaignLetters } from './campaign-letters.ts'
import { memberAccountEmails } from './member-account-emails.ts'
import { mergeLetters } from './merge-letters.ts'

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
export const receiptWords = { timeZone: 'America/New_York', taxWording: 'Please ask your tax adviser.' }

const NOTICES: NoticeKind[] = [
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

/** A letter about a membership; `given` overrides single words. */
export function notice(kind: NoticeKind, given: Partial<NoticeWords> = {}): Letter {
  const words: NoticeWords = {
    firstName: 'Anagha',
    levelName: 'Annual Member',
    aboutDay: 'March 2, 2027',
    daysLeft: 45,
    endsDay: 'March 16, 2027',
    amount: { minorUnits: 10_000, currency: 'usd' },
    card: { brand: 'visa', last4: '4242', expiresMonth: 3, expiresYear: 2030 },
    cardExpires: false,
    nextAttemptDay: 'March 5, 2027',
    left: 'goes on',
  }
  const url = 'https://example.org/x'
  return noticeLetter(kind, { ...words, ...given }, { accountUrl: url, plansUrl: url }, association)
}

export function receiptOf(name: string, given: Partial<Parameters<typeof receiptFacts>[0]> = {}, credit = 0): Letter {
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
    discount: null,
    ...given,
  }
  const facts = receiptFacts(payment, { name: `${name} ${name}`, level: annual, credit, timeZone: 'America/New_York' })
  return receiptLetter(
    name,
    { number: payment.receiptNumber, paid: '$100', facts, notes: ['Write to us.'] },
    association,
  )
}

/** Every letter there is, with a name as given. */
export function everyLetter(name: string): Record<string, Letter> {
  const person = { firstName: name, lastName: name, username: name, level: annual, timeZone: 'America/New_York' }
  const url = 'https://example.org/x?email=a%40b.example&token=abc'
  return {
    verification: verificationLetter({ ...person, levelName: name }, { url, code: '012345' }, association),
    'already registered': alreadyRegisteredLetter(name, { loginUrl: url, resetUrl: url }, association),
    deactivated: deactivatedLetter(name, association),
    merged: mergedLetter(name, { keptAddress: 'a@b.example', loginUrl: url }, association),
    reset: resetLetter(name, url, association),
    ...mergeLetters(name, url),
    invitation: invitationLetter({ firstName: name, email: 'a@b.example', username: name }, url, association),
    ...memberAccountEmails(name, url),
    'role given': roleLetter(
      { firstName: name, role: 'secretary', startsOn: '2027-01-01', endsOn: '2028-12-31' },
      url,
      association,
    ),
    ...Object.fromEntries(
      factorChanges(name).map((change) => [
        `second factor ${change.kind}`,
        factorLetter({ firstName: name, change, at: PAID_AT, timeZone: 'America/New_York' }, url, association),
      ]),
    ),
    'password changed': passwordChangedLetter(name, url, association),
    'email change': emailChangeLetter(name, url, association),
    'address wanted': addressWantedLetter(name, url, association),
    'email changed': emailChangedLetter(name, association),
    'account deleted': accountDeletedLetter(name, { day: 'December 31, 2026', isPast: false }, association),
    'account deleted while owing': accountDeletedLetter(name, { day: 'December 31, 2026', isPast: true }, association),
    'account without a term deleted': accountDeletedLetter(name, null, association),
    'deletion failed': deletionFailedLetter(name, url, association),
    welcome: welcomeLetter({ ...person, endsAt: PAID_AT, renews: true }, url, association),
    'welcome for a term': welcomeLetter({ ...person, endsAt: PAID_AT, renews: false }, url, association),
    'welcome for life': welcomeLetter({ ...person, endsAt: null, renews: false }, url, association),
    receipt: receiptOf(name),
    ...Object.fromEntries(
      NOTICES.map((kind) => [`notice: ${kind}`, notice(kind, { firstName: name, levelName: name })]),
    ),
    'notice: refunded, ended': notice('refunded', { left: 'has ended' }),
    'notice: refunded, ends sooner': notice('refunded', { left: 'ends sooner' }),
    'notice: refunded, had ended': notice('refunded', { left: 'had ended before' }),
    'notice: dispute lost': notice('dispute_closed', { left: 'has ended' }),
    'notice: dispute lost, ends sooner': notice('dispute_closed', { left: 'ends sooner' }),
    'given back': givenBackLetter(name, association),
    ...paymentLetters(name, association),
    'to the officers': officersLetter(
      { id: '1', name, email: 'a@b.example', subject: name, message: `${name}\n${name}` },
      association,
    ),
    acknowledgement: acknowledgementLetter(association),
    'newsletter, to confirm': confirmationLetter(url, association),
    'newsletter, already there': alreadySubscribedLetter(url, association),
    'newsletter, left': leftLetter(url, association),
    'thanks to a sponsor': thankYouLetter(
      { ...sponsorship, name, company: name, tierName: name },
      { ...receiptWords, taxWording: name },
      association,
    ),
    'thanks for a small amount': thankYouLetter(
      { ...sponsorship, name, remarksMinutes: null, reservedTable: false, logoUntil: null },
      receiptWords,
      association,
    ),
    'sponsor, to the officers': sponsorshipLetter(
      { ...sponsorship, name, company: name, phone: name, message: name },
      'America/New_York',
      association,
    ),
    ...Object.fromEntries(
      RSVP_NEWS.map((about) => [
        `RSVP: ${about}`,
        rsvpLetter(
          about,
          {
            name,
            guests: 1,
            meals: [name, name],
            isWaiting: false,
            heldUntil: 'December 12, 2026 at 6:30 PM EST',
            owed: null,
            paid: '$50',
            refund: refundSentence('2026-12-12'),
            event: { title: name, date: 'December 19, 2026', time: name, location: name, address: name },
            creditHours: 1.5,
            calledOff: { announcement: name, goesBack: '$50' },
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
          credentialLetter(
            { firstName: name, isApproved: isSo, kind: isSo ? 'resident' : 'licence', place: name, reason: name },
            url,
            association,
          ),
        ],
        [
          `question about credentials, training over: ${isSo}`,
          credentialQuestionLetter(
            { firstName: name, question: name, isTrainingOver: isSo },
            { accountUrl: url, levelsUrl: url },
            association,
          ),
        ],
      ]),
    ),
    'RSVP: promoted, to be paid': rsvpLetter(
      'promoted',
      {
        name,
        guests: 1,
        meals: [],
        isWaiting: false,
        heldUntil: null,
        owed: { amount: '$75', by: 'December 12, 2026 at 6:00 PM' },
        paid: null,
        refund: null,
        event: { title: name, date: 'December 19, 2026', time: name, location: name, address: null },
        creditHours: null,
        calledOff: null,
        url,
        eventUrl: url,
      },
      association,
    ),
    'seats, receipt': seatReceiptLetter(
      { ...sampleSeats, title: name, name },
      { timeZone: 'America/New_York', refundUntil: null, url },
      association,
    ),
    ...Object.fromEntries(
      (['cancelled', 'fewer', 'no-seat', 'twice', 'officer', 'called-off'] as const).map((reason) => [
        `seats, money back: ${reason}`,
        seatRefundLetter({ reason, amount: 7_500 }, { ...sampleSeats, title: name }, association),
      ]),
    ),
    'seats, money that did not arrive': failedRefundLetter(
      { ...sampleSeats, title: name, name, email: 'leela@example.com' },
      { failed: 7_500, url },
      association,
    ),
    alarm: alarmLetter({ kind: 'double-payment', details: { checkout: name } }, association),
    'alarm of many': alarmLetter({ kind: 'payment-disputed', details: { payment: name }, isOfMany: true }, association),
    'unknown alarm': alarmLetter({ kind: name, details: {} }, association),
    ...campaignLetters(name),
  }
}
