import type { RsvpEvent, TicketKind } from '#contract/console/rsvp.ts'
import type { FormValues } from '#web/forms/validate.rules.ts'

/** The names of the form's fields by those of the API: the form is on a page whose own form has a price and a limit. */
export const KIND_FIELDS = {
  name: 'kindName',
  price: 'kindPrice',
  memberPrice: 'kindMemberPrice',
  seats: 'kindSeats',
  limit: 'kindLimit',
} as const
type KindField = (typeof KIND_FIELDS)[keyof typeof KIND_FIELDS]
export const KIND_ORDER: KindField[] = Object.values(KIND_FIELDS)

/** '$12.50', '12.50' or '12' in cents; null if empty. What is no amount is refused by the server. */
function centsOrNull(text: string): number | null {
  const typed = text.trim().replace(/^\$/, '')
  return typed === '' ? null : Math.round(Number(typed) * 1e6) / 1e4
}

function amountOf(cents: number | null): string {
  return cents === null ? '' : (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)
}

/** What the form begins with. The first kind takes over the price of the event. */
export function kindValues(kind: TicketKind | null, { kinds, price, memberPrice }: RsvpEvent['offer']) {
  const isFirst = kind === null && kinds.length === 0
  return {
    name: kind?.name ?? (isFirst ? 'Adult' : ''),
    price: amountOf(kind ? kind.price : isFirst ? price : null),
    memberPrice: amountOf(kind ? kind.memberPrice : isFirst ? memberPrice : null),
    seats: String(kind?.seats ?? 1),
    limit: kind?.limit ? String(kind.limit) : '',
  }
}

/** A kind as the form has it. @param levels the keys of the chosen levels */
export function toKind(key: string, values: FormValues<KindField>, levels: string[]): TicketKind {
  return {
    key,
    name: values.kindName.trim(),
    price: centsOrNull(values.kindPrice) ?? 0,
    memberPrice: centsOrNull(values.kindMemberPrice),
    seats: Number(values.kindSeats || 1),
    limit: values.kindLimit.trim() === '' ? null : Number(values.kindLimit),
    levels,
  }
}

/** The settings as they are stored, with other kinds. With kinds, the event has no price of its own. */
export function withKinds({ words, ...offer }: RsvpEvent['offer'], kinds: TicketKind[]) {
  const prices = kinds.length > 0 ? { price: null, memberPrice: null } : {}
  return { ...offer, ...prices, words: words ?? '', kinds }
}
