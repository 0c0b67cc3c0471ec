import { dateFormat } from '#contract/formatters.ts'
import type { AccountHome, MemberRsvp, UnansweredEvent } from '#contract/public/my-account/account-home.ts'
import { formatDeadline, formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney, priceAmount } from '#contract/money.ts'
import type { Account } from '#web/shared/get-account.ts'
import { renewalAction } from '#web/shared/membership-text.rules.ts'
import { isMembershipCurrent } from '#web/shared/plan-label.rules.ts'

/** Something that waits for the member. `label` is the text of the link or button. */
export type TodoItem = { key: string; title: string; text: string } & (
  | { kind: 'pay'; label: string; url: string | null }
  | { kind: 'renew'; label: string }
  | { kind: 'email' | 'credentials'; label: string }
  | { kind: 'confirm'; label: string; url: string | null }
  | { kind: 'answer'; event: UnansweredEvent['event'] }
)

const DAY_MS = 86_400_000
const RENEW_WITHIN_DAYS = 60

/** What needs the member, most urgent first. A failed payment is not included: the page begins with it. */
export function todo(account: Account, home: AccountHome, now: number): TodoItem[] {
  return [
    ...home.rsvps.flatMap(seatsToPay),
    ...renewal(account, now),
    ...newEmail(account, home),
    ...credentials(account, home),
    ...home.rsvps.flatMap(unconfirmed),
    ...home.unanswered.map(answer),
  ]
}

function seatsToPay({ event, place, money, url }: MemberRsvp): TodoItem[] {
  if (place !== 'paying' || !money || money.owed === 0) return []
  const amount = formatMoney(money.owed, money.currency)
  return [
    {
      kind: 'pay',
      key: `pay ${event.id}`,
      title: `Your seats at ${event.title} are ready`,
      text: money.payBy
        ? `Pay ${amount} by ${formatDeadline(money.payBy)}, or they go to the next guest.`
        : `Pay ${amount} to keep them.`,
      label: `Pay ${amount}`,
      url,
    },
  ]
}

function renewal({ subscription }: Account, now: number): TodoItem[] {
  if (!subscription || subscription.status !== 'ACTIVE' || subscription.cancelDate === null) return []
  const { cancelDate, membershipLevel: level, renewal: kind } = subscription
  const days = Math.ceil((Date.parse(cancelDate) - now) / DAY_MS)
  const action = renewalAction(subscription, now)
  if (days > RENEW_WITHIN_DAYS || !action?.label) return []
  const left = days <= 1 ? 'It ends today.' : `${days} days left.`
  if (kind === 'stopped')
    return [
      {
        kind: 'renew',
        key: 'renew',
        title: `Your membership ends on ${formatLongDate(cancelDate)}`,
        text: `${action.message} ${left}`,
        label: action.label,
      },
    ]
  return [
    {
      kind: 'renew',
      key: 'renew',
      title: `Renew by ${formatLongDate(cancelDate)}`,
      text: `${level.name}, ${priceAmount(level)}. ${left}`,
      label: level.unitAmount === 0 ? action.label : `Renew for ${priceAmount(level)}`,
    },
  ]
}

function newEmail({ profile }: Account, { pendingEmail }: AccountHome): TodoItem[] {
  if (pendingEmail === null) return []
  return [
    {
      kind: 'email',
      key: 'email',
      title: 'Confirm your new email address',
      text: `Open the email we sent to ${pendingEmail}. Until then we use ${profile.email}.`,
      label: 'Email address',
    },
  ]
}

const CREDENTIALS = {
  missing: {
    title: 'Verify your credentials',
    text: 'Our officers check what you enter. It takes a minute, and your membership stays active.',
    label: 'Enter credentials',
  },
  question: {
    title: 'Our officers have a question about your credentials',
    text: 'Your answer keeps your record up to date.',
    label: 'Answer the question',
  },
  declined: {
    title: 'Your credentials could not be verified',
    text: 'Read why, and correct them.',
    label: 'Change credentials',
  },
} as const

/** People without a current membership are asked for one first. */
function credentials({ subscription }: Account, { credentials: state }: AccountHome): TodoItem[] {
  if (!subscription || !isMembershipCurrent(subscription)) return []
  if (state === 'waiting' || state === 'approved' || state === 'unasked') return []
  return [{ kind: 'credentials', key: 'credentials', ...CREDENTIALS[state] }]
}

function unconfirmed({ event, place, url }: MemberRsvp): TodoItem[] {
  if (place !== 'unconfirmed') return []
  return [
    {
      kind: 'confirm',
      key: `confirm ${event.id}`,
      title: `Confirm your RSVP to ${event.title}`,
      text: `${eventLine(event)}. Until you confirm it, your seats are held for half an hour only.`,
      label: 'Confirm RSVP',
      url,
    },
  ]
}

function answer({ event, lastDay }: UnansweredEvent): TodoItem {
  return {
    kind: 'answer',
    key: `answer ${event.id}`,
    title: `${event.title}: are you coming?`,
    text: `${eventLine(event)}.${lastDay ? ` Reply by ${formatLongDate(noonOf(lastDay))}.` : ''}`,
    event,
  }
}

/** 'Saturday, January 9, 6:00 PM to 9:00 PM, Duluth'. */
export function eventLine({ date, startsOn, time, location }: MemberRsvp['event']): string {
  return [weekday(startsOn), date, time, location].filter(Boolean).join(', ')
}

function weekday(day: string): string {
  return dateFormat({ weekday: 'long', timeZone: 'UTC' }).format(new Date(noonOf(day)))
}

/** An instant that is on this day in the association's time zone, and in UTC. */
export function noonOf(day: string): string {
  return `${day}T12:00:00Z`
}
