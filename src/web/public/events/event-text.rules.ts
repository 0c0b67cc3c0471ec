import { isHappeningNow, isUpcoming, takesPlace, type AssociationEvent } from '#contract/public/events.ts'

/** 'Saturday, December 19, 2026'; an event of several days, or with a day in its text, as an officer wrote it. */
export function fullDate({ date, startsOn, endsOn }: Pick<AssociationEvent, 'date' | 'startsOn' | 'endsOn'>): string {
  if (!startsOn || startsOn !== (endsOn ?? startsOn) || /day\b/i.test(date)) return date
  return `${weekday(startsOn, 'long')}, ${date}`
}

/** 'Sat' or 'Saturday' for `2026-12-19`, in every time zone (docs/product-rules.md#the-associations-day). */
export function weekday(day: string, length: 'short' | 'long'): string {
  return new Intl.DateTimeFormat('en-US', { weekday: length, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

/** What a visitor has to know besides the date; null while the event is ahead. */
export function eventStatus(event: AssociationEvent, today: string): string | null {
  if (!takesPlace(event)) return 'Canceled'
  if (isHappeningNow(event, today)) return event.endsOn === event.startsOn ? 'Happening today' : 'Happening now'
  return isUpcoming(event, today) ? null : 'Past event'
}
