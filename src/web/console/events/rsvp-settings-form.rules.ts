import type { BodyOf } from '#contract/endpoint.ts'
import { rsvpOfferBody, type RsvpEvent, type saveRsvpOffer } from '#contract/console-rsvp.ts'
import { problemsOf, type FormValues, type Problems } from '#web/features/forms/problems.rules.ts'

export const OFFER_FIELDS = [
  'isOpen',
  'capacity',
  'guestsMax',
  'price',
  'memberPrice',
  'refundUntil',
  'meals',
  'closesOn',
  'creditHours',
  'words',
] as const
export type OfferField = (typeof OFFER_FIELDS)[number]
type Offered = BodyOf<typeof saveRsvpOffer>

const numberOrNull = (text: string) => (text.trim() === '' ? null : Number(text))

/** '$12.50', '12.50' or '12' in cents. */
const centsOrNull = (text: string) => {
  const dollars = text.trim().replace(/^\$/, '')
  return dollars === '' ? null : Math.round(Number(dollars) * 1e6) / 1e4
}
const dollarsOf = (cents: number | null) => (cents === null ? '' : (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2))

/** What the form holds, as the contract wants it; meals stand one on a line. */
export function offeredIn(values: FormValues<OfferField>, version: number): Offered {
  return {
    isOpen: values.isOpen === 'on',
    capacity: numberOrNull(values.capacity),
    guestsMax: Number(values.guestsMax || 0),
    meals: values.meals
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    closesOn: values.closesOn || null,
    words: values.words,
    price: centsOrNull(values.price),
    memberPrice: centsOrNull(values.memberPrice),
    refundUntil: values.refundUntil || null,
    creditHours: numberOrNull(values.creditHours),
    version,
  }
}

/** A problem of one of the meals stands under all of them. */
export function checkOffer(values: FormValues<OfferField>): Problems<OfferField> {
  const found = problemsOf(rsvpOfferBody, offeredIn(values, 0))
  const entries = Object.entries(found).map(([name, sentence]) => [name.split('.')[0], sentence])
  return Object.fromEntries(entries) as Problems<OfferField>
}

/** As the form shows what was saved. */
export function valuesOf({
  isOpen,
  capacity,
  guestsMax,
  meals,
  closesOn,
  creditHours,
  words,
  price,
  memberPrice,
  refundUntil,
}: RsvpEvent['offer']): FormValues<OfferField> {
  return {
    isOpen: isOpen ? 'on' : '',
    capacity: capacity === null ? '' : String(capacity),
    guestsMax: String(guestsMax),
    meals: meals.join('\n'),
    closesOn: closesOn ?? '',
    creditHours: creditHours === null ? '' : String(creditHours),
    words: words ?? '',
    price: dollarsOf(price),
    memberPrice: dollarsOf(memberPrice),
    refundUntil: refundUntil ?? '',
  }
}
