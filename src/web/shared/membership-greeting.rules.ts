import type { Subscription } from '#contract/public/account.ts'
import type { MemberRsvp } from '#contract/public/rsvp.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { isMembershipCurrent } from './plan-label.rules.ts'

/** What a signed-in member should know about the membership, with the one action for it. */
export interface MembershipGreeting {
  /** `ask`: something has to be done; `inform`: it can be dismissed. */
  tone: 'ask' | 'inform'
  title: string
  text: string
  /** `plans` leads to the levels, `event` to that event's page; `billing` opens the card provider's page. */
  action: { label: string; to: 'plans' | 'billing' } | { label: string; to: 'event'; eventId: string }
  /** Stored when the greeting is dismissed, so that the next one shows again. */
  key: string
}

const SOON_MS = 45 * 86_400_000

/** null for a membership that needs nothing now. */
export function membershipGreeting(
  subscription: Subscription | null,
  firstName: string,
  now: number,
): MembershipGreeting | null {
  if (!subscription) {
    return ask('You don’t have a membership yet.', 'Pick the one that fits, and you’re in.', {
      label: 'Choose a membership',
      to: 'plans',
    })
  }
  const { status, kind, renewal, cancelDate, nextBillDate, membershipLevel } = subscription
  const { unitAmount, currency } = membershipLevel
  const renew = unitAmount > 0 ? `Renew for ${formatMoney(unitAmount, currency)}` : 'Renew your membership'
  if (status === 'PAST_DUE') {
    const until = cancelDate ? `until ${formatLongDate(cancelDate)}` : 'for now'
    return ask(
      'Your renewal didn’t go through.',
      `You’re still a member ${until}. We’ll retry the card; you can change it now.`,
      { label: 'Update card', to: 'billing' },
    )
  }
  if (!isMembershipCurrent(subscription)) {
    if (status === 'INCOMPLETE') {
      return ask('Your membership hasn’t started yet.', 'We haven’t received a payment for it.', {
        label: 'Choose a membership',
        to: 'plans',
      })
    }
    return ask(
      cancelDate ? `Your membership ended ${formatLongDate(cancelDate)}.` : 'Your membership has ended.',
      `Your account is still here, ${firstName}. Renew today and pick up where you left off.`,
      { label: renew, to: 'plans' },
    )
  }
  const day = renewal === 'automatic' ? (nextBillDate ?? cancelDate) : cancelDate
  if (kind === 'ONE_TIME' || !day || Date.parse(day) - now > SOON_MS) return null
  const date = formatLongDate(day)
  const informed = { tone: 'inform', key: `${renewal}:${day}` } as const
  if (renewal === 'by-hand') {
    return ask(`Your membership ends ${date}.`, 'Renewing adds a term to the one you have.', {
      label: renew,
      to: 'billing',
    })
  }
  if (renewal === 'stopped') {
    return {
      ...informed,
      title: `Your membership ends ${date} and won’t renew.`,
      text: 'You can resume it until that day.',
      action: { label: 'Manage billing', to: 'billing' },
    }
  }
  return {
    ...informed,
    title: `Your membership renews on ${date}.`,
    text: `${formatMoney(unitAmount, currency)}, charged to your card. Nothing to do unless the card has changed.`,
    action: { label: 'Manage billing', to: 'billing' },
  }

  function ask(title: string, text: string, action: MembershipGreeting['action']): MembershipGreeting {
    return { tone: 'ask', title, text, action, key: title }
  }
}

/** A member's RSVP, where the membership needs nothing. */
export function rsvpGreeting({ event, seats, place }: MemberRsvp, firstName: string): MembershipGreeting {
  const day = event.time ? `${event.date}, ${event.time}` : event.date
  const party = seats === 1 ? 'One seat' : `${seats} seats`
  const greeting = { tone: 'inform', key: `rsvp:${event.id}:${place}`, action: toEvent(event.id) } as const
  if (place === 'waiting') {
    return {
      ...greeting,
      title: `You’re on the waitlist for ${event.title}.`,
      text: `${day}. We’ll email you when seats open up.`,
    }
  }
  if (place === 'paying') {
    return {
      ...greeting,
      tone: 'ask',
      title: `Seats opened up at ${event.title}, ${firstName}.`,
      text: `${day}. We hold them for you until you pay; our email has the link.`,
    }
  }
  return { ...greeting, title: `See you at ${event.title}, ${firstName}.`, text: `${day}. ${party}.` }
}

function toEvent(eventId: string): MembershipGreeting['action'] {
  return { label: 'See the event', to: 'event', eventId }
}

/** The lead of the plans page for a signed-in member. */
export function plansLead(subscription: Subscription | null, now: number): string {
  const greeting = subscription && membershipGreeting(subscription, '', now)
  if (!subscription) return 'Choose your membership here.'
  const { kind, status, cancelDate, nextBillDate, membershipLevel } = subscription
  if (!isMembershipCurrent(subscription))
    return `${greeting?.title ?? ''} ${status === 'INCOMPLETE' ? 'Choose your membership here.' : 'Pick up where you left off.'}`
  if (status === 'PAST_DUE') return 'Your renewal didn’t go through. You can change your card or your membership here.'
  if (kind === 'ONE_TIME') return `${membershipLevel.name}, for good. Life memberships don’t change; you’re set.`
  const day = cancelDate ?? nextBillDate
  return `${membershipLevel.name}${day ? ` until ${formatLongDate(day)}` : ''}. Change or renew your membership here.`
}
