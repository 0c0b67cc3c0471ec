import type { AppContext } from '#server/app-context.ts'
import type { ContentState } from '#contract/console/content.ts'
import { addDays, formatDayRange } from '#contract/dates/days.ts'
import { formatEventTimes } from '#contract/dates/event-when.ts'
import type { EventDetails } from '#contract/public/events.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { readSchedule } from '#server/features/content-store/event-times.rules.ts'
import { eventKind, type EventValue } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { contentStateOf, editableValue, type RecordState } from './content-state.rules.ts'
import type { ContentService } from './content.service.ts'

/** An event as officers last saved it, whether it is on the site or not. */
export interface EventRecord {
  id: string
  title: string
  /** Its date and time, as visitors read them. */
  when: string
  location: string
  startsOn: string | null
  endsOn: string | null
  state: ContentState
  isPublished: boolean
}

const DAY_MS = 86_400_000

/** The events among the content records, for features that know their guests. */
export function createEventRecords(
  { db }: AppContext,
  { content }: { content: Pick<ContentService, 'bulk' | 'save'> },
) {
  const kind = content.bulk.requireKind(eventKind.kind)

  async function findValue(id: string): Promise<{ value: EventValue; state: RecordState } | null> {
    const state = await content.bulk.findRecordState(db, kind, id)
    if (contentStateOf(state) === 'deleted') return null
    return { value: editableValue(state) as unknown as EventValue, state }
  }

  return {
    /** Every event that is not deleted. */
    async list(): Promise<EventRecord[]> {
      const records = [...(await content.bulk.listRecordStates(db, kind))]
      return records.map(([id, state]) => describe(id, state)).filter(({ state }) => state !== 'deleted')
    },

    /** null if it does not exist or was deleted. */
    async find(id: string): Promise<EventRecord | null> {
      const found = await findValue(id)
      return found && describe(id, found.state)
    },

    /** An event that is not on the site; null if there is none. */
    async findDraft(id: string): Promise<EventDetails | null> {
      const found = await findValue(id)
      if (!found || found.state.published !== null) return null
      const { value } = found
      const { date, time = null, address = null } = value
      const known = { ...value, time, address, title: value.title, location: value.location ?? '' }
      return { ...known, ...readSchedule({ date }), date, html: '', startDate: null, endDate: null }
    },

    /**
     * Makes a draft like an event that begins on another day; its length and the day its RSVPs open keep their distance. Returns its id and by how many
     * days it was moved. @throws Problem NOT_FOUND
     */
    async copy(officer: Officer, id: string, startsOn: string): Promise<{ id: string; days: number }> {
      const found = await findValue(id)
      if (!found) throw new Problem('NOT_FOUND')
      const { value } = found
      const span = readSchedule(value)
      const days = span.startsOn === null ? 0 : daysBetween(span.startsOn, startsOn)
      const endsOn = span.endsOn === null ? startsOn : addDays(span.endsOn, days)
      const { rsvpOpensOn, ...kept } = value
      const copy = {
        ...kept,
        date: formatDayRange({ startsOn, endsOn }),
        ...(rsvpOpensOn !== undefined && { rsvpOpensOn: addDays(rsvpOpensOn, days) }),
        isFeatured: false,
        // A link to its own page becomes one to the new page.
        detailsLink: value.detailsLink === `/events/${id}` ? '' : value.detailsLink,
      }
      const request = { value: { ...copy }, version: 'new', action: 'draft' as const }
      const saved = await content.save(officer, { kind: kind.kind, id: 'new' }, request)
      return { id: saved.id ?? '', days }
    },
  }
}

function describe(id: string, state: RecordState): EventRecord {
  const { title = '', date = '', time = null, location = '' } = editableValue(state) as unknown as Partial<EventValue>
  const { startsOn, endsOn } = readSchedule({ date })
  const when = formatEventTimes({ date, time })
  return {
    id,
    title,
    when: [when.date, when.time].filter(Boolean).join(', '),
    location,
    startsOn,
    endsOn,
    state: contentStateOf(state),
    isPublished: state.published !== null,
  }
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}
