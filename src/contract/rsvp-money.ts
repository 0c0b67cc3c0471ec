import { writeDay } from './days.ts'
import type { RsvpPrice } from './rsvp.ts'

/** What an offer says about seats that are given back; the same on the page, in letters and on the receipt. */
export function refundSentence(refundUntil: string | null): string {
  return refundUntil === null
    ? 'Seats that are given back are not refunded.'
    : `Seats that are given back by ${writeDay(refundUntil)} are refunded; later ones are not.`
}

/** Cents for a party as the form shows them; the server decides. @param isMember whether the member price counts for its address */
export function shownCost(
  { person, member }: RsvpPrice,
  { guests, isMember }: { guests: number; isMember: boolean },
): number {
  return (isMember ? member : person) + guests * person
}
