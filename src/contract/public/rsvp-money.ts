import { formatDay } from '../dates/days.ts'
import type { RsvpPrice } from './rsvp.ts'

/**
 * The refund terms of an event, used on the page, in emails and on the receipt.
 * @param today for a page that is read now: leaves out the year of this day
 */
export function refundTerms(refundUntil: string | null, today = ''): string {
  if (refundUntil === null) return 'Canceled seats are not refunded.'
  const day = formatDay(refundUntil)
  const year = `, ${today.slice(0, 4)}`
  return `Cancel by ${today !== '' && day.endsWith(year) ? day.slice(0, -year.length) : day} for a full refund.`
}

/** The cost of a party in cents, as the form shows it; the server decides. @param isMember whether the address gets the member price */
export function displayedCost(
  { person, member }: RsvpPrice,
  { guests, isMember }: { guests: number; isMember: boolean },
): number {
  return (isMember ? member : person) + guests * person
}
