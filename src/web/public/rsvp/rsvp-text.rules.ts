import { formatDeadline, formatMoment } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import type { MemberRsvp } from '#contract/public/my-account/account-home.ts'
import { HOLD_MINUTES, type PublicRsvpSettings, type RsvpPrice } from '#contract/public/rsvp.ts'
import type { OfferedTicketKind } from '#contract/tickets/tickets.ts'
import { nearDay, seatsText } from '../events/event-text.rules.ts'

/** Until when, and how many seats are left; empty if neither is limited. */
export function openingText(
  { state, closesAt, lastDay, seatsLeft }: Pick<PublicRsvpSettings, 'state' | 'closesAt' | 'lastDay' | 'seatsLeft'>,
  today: string,
): string {
  const until = lastDay ? `RSVP by ${nearDay(lastDay, today)}.` : closesAt && `RSVP before ${formatMoment(closesAt)}.`
  const seats = state === 'open' && seatsLeft !== null && `${seatsText(seatsLeft)}.`
  return [until, seats].filter(Boolean).join(' ')
}

/** What stands between the visitor and the member price: `log-in`, or `address` for a member who typed another one. */
export type MemberPriceStep = 'log-in' | 'address' | null

export function memberPriceStep(
  { person, member }: Pick<RsvpPrice, 'person' | 'member'>,
  visitor: { isSignedIn: boolean; hasMembership: boolean; typedOwnAddress: boolean },
): MemberPriceStep {
  if (member >= person) return null
  if (!visitor.isSignedIn) return 'log-in'
  return visitor.hasMembership && !visitor.typedOwnAddress ? 'address' : null
}

/** '$120 per person. Members pay $90'; ends without a full stop if something has to be done for the member price. */
export function priceText({ person, member, currency }: RsvpPrice, step: MemberPriceStep): string {
  const all = `${formatMoney(person, currency)} per person.`
  if (member >= person) return all
  const members = member === 0 ? 'Members pay nothing' : `Members pay ${formatMoney(member, currency)}`
  return `${all} ${members}${step ? ':' : '.'}`
}

/** Whether any kind of ticket costs members less, in the shape of a price. */
export function memberSaving(kinds: readonly Pick<OfferedTicketKind, 'price' | 'memberPrice'>[]): {
  person: number
  member: number
} {
  return { person: kinds.some(({ price, memberPrice }) => memberPrice < price) ? 1 : 0, member: 0 }
}

/** 'The member price is for one ticket, the member’s own.'; ends without a full stop if something has to be done for it. */
export function ticketPriceText(
  kinds: readonly Pick<OfferedTicketKind, 'price' | 'memberPrice'>[],
  step: MemberPriceStep,
): string {
  if (memberSaving(kinds).person === 0) return ''
  return `The member price is for one ticket, the member’s own${step ? ':' : '.'}`
}

/** `held`, `asked`: to be confirmed by email, with seats or for the waitlist. `sent`: only the email says more. */
export type SentPlace = 'coming' | 'waiting' | 'paying' | 'held' | 'asked' | 'sent'

/** What is known about an RSVP that was just sent. `own` is stored under the address of the signed-in member. */
export interface SentRsvp {
  place: SentPlace
  email: string
  own: MemberRsvp | null
}

interface SentText {
  title: string
  text: string
}

/** Says only what is certain: an earlier RSVP of the same address stays as it was, whatever the form said. */
export function sentText({ place, email, own }: SentRsvp): SentText {
  switch (place) {
    case 'coming':
      return {
        title: 'You’re coming.',
        text: `${own ? `${seatsInWords(own.guests + 1)}. ` : ''}We sent your check-in code to ${email}.`,
      }
    case 'waiting':
      return {
        title: 'You’re on the waitlist.',
        text: `When seats open up and it’s your turn, we’ll hold them for you and email ${email}.`,
      }
    case 'paying':
      return { title: 'Your seats are held.', text: payText(own?.money ?? null) }
    case 'held':
      return {
        title: 'One more step: confirm by email',
        text: `We sent an email to ${email}. Press its button within ${HOLD_MINUTES} minutes to confirm; we’ll hold your seats until then.`,
      }
    case 'asked':
      return {
        title: 'One more step: confirm by email',
        text: `We sent an email to ${email}. Press its button to join the waitlist.`,
      }
    case 'sent':
      return {
        title: 'Thank you. Check your email.',
        text: `We sent your confirmation to ${email}, with a link to change or cancel.`,
      }
  }
}

function payText(money: MemberRsvp['money']): string {
  if (!money || money.owed === 0) return 'They are yours once they are paid.'
  const amount = formatMoney(money.owed, money.currency)
  if (!money.payBy) return `Pay ${amount} to keep them.`
  return `Pay ${amount} by ${formatDeadline(money.payBy)}, or they go to the next guest.`
}

const NUMBERS = 'One Two Three Four Five Six Seven Eight Nine Ten Eleven'.split(' ')

/** 'One seat', 'Two seats', as many as a party may have. */
function seatsInWords(seats: number): string {
  return `${NUMBERS[seats - 1] ?? seats} ${seats === 1 ? 'seat' : 'seats'}`
}
