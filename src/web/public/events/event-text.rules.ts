import { dateFormat } from '#contract/formatters.ts'
import { isHappeningNow, takesPlace, type AssociationEvent } from '#contract/public/events.ts'

/** 'Saturday, December 19, 2026'; an event of several days, or with a day in its text, as an officer wrote it. */
export function fullDate({ date, startsOn, endsOn }: Pick<AssociationEvent, 'date' | 'startsOn' | 'endsOn'>): string {
  if (!startsOn || startsOn !== (endsOn ?? startsOn) || /day\b/i.test(date)) return date
  return `${weekday(startsOn, 'long')}, ${date}`
}

/** 'Sat' or 'Saturday' for `2026-12-19`, in every time zone (docs/product-rules.md#the-associations-day). */
export function weekday(day: string, length: 'short' | 'long'): string {
  return dateFormat({ weekday: length, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

/** 'Tuesday, December 15'; with the year if it is not the year of `today`. */
export function nearDay(day: string, today: string): string {
  const year = day.slice(0, 4) === today.slice(0, 4) ? '' : `, ${day.slice(0, 4)}`
  return `${weekday(day, 'long')}, ${dayAndMonth(day)}${year}`
}

/** What a visitor has to know besides the date; null if that is all. The page of a past event says below that it is over. */
export function eventStatus(event: AssociationEvent, today: string): string | null {
  if (!takesPlace(event)) return 'Canceled'
  if (!isHappeningNow(event, today)) return null
  return event.endsOn === event.startsOn ? 'Happening today' : 'Happening now'
}

/** More seats than these are not worth a line in a list. */
const FEW_SEATS = 40

/** A line for lists while few seats are left; null if there are many, or as many as one likes. */
export function fewSeats(seatsLeft: number | undefined): string | null {
  if (seatsLeft === undefined || seatsLeft > FEW_SEATS) return null
  return seatsLeft === 0 ? 'All seats are taken' : seatsText(seatsLeft)
}

/** '1 seat left', '38 seats left'. */
export function seatsText(seatsLeft: number): string {
  return seatsLeft === 1 ? '1 seat left' : `${seatsLeft.toLocaleString('en-US')} seats left`
}

/** How to come to an event that takes no RSVPs here: a line for its page, and a shorter one for lists. */
export function rsvpAnswer(
  { needsNoRsvp, rsvpOpensOn }: Pick<AssociationEvent, 'needsNoRsvp' | 'rsvpOpensOn'>,
  today: string,
): { title: string; text: string; short: string } {
  if (needsNoRsvp) return { title: 'No RSVP needed. Just come.', text: 'Bring whom you like.', short: 'No RSVP needed' }
  if (rsvpOpensOn && rsvpOpensOn > today) {
    const opening = `RSVPs open ${dayAndMonth(rsvpOpensOn)}`
    return { title: `${opening}.`, text: 'Add the event to your calendar until then.', short: opening }
  }
  const waiting = 'RSVPs aren’t open yet'
  return { title: `${waiting}.`, text: 'Add the event to your calendar until they are.', short: waiting }
}

/** 'December 1' for `2026-12-01`. */
function dayAndMonth(day: string): string {
  return dateFormat({ month: 'long', day: 'numeric', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}
