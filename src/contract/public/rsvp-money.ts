import { formatDay } from '../dates/days.ts'
import type { RsvpPrice } from './rsvp.ts'

/** The refund terms of an event, used on the page, in emails and on the receipt. */
export function refundTerms(refundUntil: string | null): string {
  return refundUntil === null
    ? 'Canceled seats are not refunded.'
    : `Cancel by ${formatDay(refundUntil)} for a full refund.`
}

/** The cost of a party in cents, as the form shows it; the server decides. @param isMember whether the address gets the member price */
export function displayedCost(
  { person, member }: RsvpPrice,
  { guests, isMember }: { guests: number; isMember: boolean },
): number {
  return (isMember ? member : person) + guests * person
}
