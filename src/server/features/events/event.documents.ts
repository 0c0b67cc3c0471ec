import type { EventDetails } from '#contract/public/events.ts'
import type { FindDocument } from '#server/pages/documents.ts'
import { writeCalendar } from './event-calendar.rules.ts'
import { eventTimes } from '#server/features/content-store/event-times.rules.ts'

interface EventDocumentTools {
  events(): ReadonlyMap<string, EventDetails>
  /** The association's name; `today` is its current date. */
  name(): string
  today(): string
  siteUrl: string
  timeZone: string
}

const CALENDAR = 'text/calendar; charset=utf-8'

/** Serves the calendar of all events, for subscribing, and a calendar file per event with a known date. */
export function eventDocuments({ events, name, today, siteUrl, timeZone }: EventDocumentTools): FindDocument {
  const write = (list: EventDetails[]) => writeCalendar(list, { name: name(), today: today(), siteUrl, timeZone })
  return (path) => {
    if (path === '/events.ics') return { contentType: CALENDAR, text: write([...events().values()]) }
    const id = /^\/events\/([^/]+)\.ics$/.exec(path)?.[1]
    const event = id === undefined ? undefined : events().get(id)
    if (!event || !eventTimes(event, timeZone)) return null
    return { contentType: CALENDAR, text: write([event]), fileName: `${event.id}.ics` }
  }
}
