import { isHappeningNow, isUpcoming, isUpcomingInCarousel, type Dated } from './events.ts'

/** Soonest first. */
export function upcomingEvents<T extends Dated>(events: readonly T[], today: string): T[] {
  return events.filter((event) => isUpcoming(event, today)).sort(byDay)
}

/** Newest first; events with an unreadable date come last. */
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

/**
 * Upcoming events first, then those that only the carousel's rule calls upcoming; past events only fill the remaining slots
 * (docs/product-rules.md#upcoming-events).
 */
export function carouselEvents<T extends Dated>(events: readonly T[], today: string, count = 5): T[] {
  const past = pastEvents(events, today)
  return [
    ...upcomingEvents(events, today),
    ...past.filter((event) => isUpcomingInCarousel(event, today)),
    ...past.filter((event) => !isUpcomingInCarousel(event, today)),
  ].slice(0, count)
}

/** Ties are broken by id, so that every list has the same order. */
function byDay(a: Dated, b: Dated): number {
  return compare(a.startsOn ?? '', b.startsOn ?? '') || compare(a.id, b.id)
}

function byDayDescending(a: Dated, b: Dated): number {
  return compare(b.startsOn ?? '', a.startsOn ?? '') || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
