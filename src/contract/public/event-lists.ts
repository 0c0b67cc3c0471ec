import { isHappeningNow, isUpcoming, isUpcomingInCarousel, type Dated } from './events.ts'

/** The next one first. */
export function upcomingEvents<T extends Dated>(events: readonly T[], today: string): T[] {
  return events.filter((event) => isUpcoming(event, today)).sort(byDay)
}

/** The latest first, those with an unreadable date last. */
export function pastEvents<T extends Dated>(events: readonly T[], today: string): T[] {
  return events.filter((event) => !isUpcoming(event, today)).sort(byDayDescending)
}

export function firstUpcoming<T extends Dated>(events: readonly T[], today: string, count: number): T[] {
  return upcomingEvents(events, today).slice(0, count)
}

export function recentPast<T extends Dated>(events: readonly T[], today: string, count: number): T[] {
  return pastEvents(events, today).slice(0, count)
}

export function happeningNow<T extends Dated>(events: readonly T[], today: string): T[] {
  return events.filter((event) => isHappeningNow(event, today)).sort(byDay)
}

/** Upcoming events first, those that only the carousel's rule calls so after them; past ones only fill up (docs/product-rules.md#upcoming-events). */
export function carouselEvents<T extends Dated>(events: readonly T[], today: string, count = 5): T[] {
  const past = pastEvents(events, today)
  return [
    ...upcomingEvents(events, today),
    ...past.filter((event) => isUpcomingInCarousel(event, today)),
    ...past.filter((event) => !isUpcomingInCarousel(event, today)),
  ].slice(0, count)
}

/** Those before and after it by date; null at the ends, and for a date that cannot be read. */
export function neighboursOf<T extends Dated>(
  event: Dated,
  events: readonly T[],
): { before: T | null; after: T | null } {
  const dated = events.filter(({ startsOn }) => startsOn !== null).sort(byDay)
  const place = dated.findIndex(({ id }) => id === event.id)
  if (place < 0) return { before: null, after: null }
  return { before: dated[place - 1] ?? null, after: dated[place + 1] ?? null }
}

/** The id settles what the day leaves open, so that every list has one order. */
function byDay(a: Dated, b: Dated): number {
  return compare(a.startsOn ?? '', b.startsOn ?? '') || compare(a.id, b.id)
}

function byDayDescending(a: Dated, b: Dated): number {
  return compare(b.startsOn ?? '', a.startsOn ?? '') || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
