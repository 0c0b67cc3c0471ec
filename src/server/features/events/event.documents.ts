import type { EventDetails } from '#contract/events.ts'
import type { FindDocument } from '#server/pages/documents.ts'
import { writeCalendar } from './event-calendar.rules.ts'
import { timesOf } from './event-times.rules.ts'

interface EventDocumentTools {
  events(): ReadonlyMap<string, EventDetails>
  /** The association's name and day. */
  name(): string
  today(): string
  siteUrl: string
  timeZone: string
}

const CALENDAR = 'text/calendar; charset=utf-8'

/** The calendar of all events, to subscribe to, and of each event with a known date, to keep. */
export function eventDocuments({ events, name, today, siteUrl, timeZone }: EventDocumentTools): FindDocument {
  const write = (list: EventDetails[]) => writeCalendar(list, { name: name(), today: today(), siteUrl, timeZone })
  return (path) => {
    if (path === '/events.ics') return { contentType: CALENDAR, text: write([...events().values()]) }
    const id = /^\/events\/([^/]+)\.ics$/.exec(path)?.[1]
    const event = id === undefined ? undefined : events().get(id)
    if (!event || !timesOf(event, timeZone)) return null
    return { contentType: CALENDAR, text: write([event]), fileName: `${event.id}.ics` }
  }
}
