import type { AppContext } from '#server/app-context.ts'
import { type ConsoleEvent, type EventHead, type EventTab, type listEvents } from '#contract/console/events/events.ts'
import type { ContentState } from '#contract/console/content.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { EventDetails } from '#contract/public/events.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { toRsvpRuleInput } from '../event-rsvp.service.ts'
import { listPaidByEvent } from '../orders/rsvp-refund.repository.ts'
import { findRsvpSettings, storeRsvpSettings } from '../rsvp-settings.repository.ts'
import { listRsvpSettings, type RsvpSettings } from '../rsvp-settings.queries.ts'
import { countRsvps, NO_RSVPS, sumTakenSeats, type RsvpCounts } from '../rsvp.repository.ts'
import { rsvpState } from '../rsvp.rules.ts'
import { countGuestMessages } from './guest-message.repository.ts'

/** An event as officers last saved it. */
interface ListedEvent {
  id: string
  title: string
  when: string
  location: string
  startsOn: string | null
  endsOn: string | null
  state: ContentState
  isPublished: boolean
}

export interface EventSource {
  list(): Promise<ListedEvent[]>
  find(id: string): Promise<ListedEvent | null>
  findDraft(id: string): Promise<EventDetails | null>
  copy(officer: Officer, id: string, startsOn: string): Promise<{ id: string; days: number }>
}

/** The list of events in the console, and copies of events. */
export function createEventList({ db, clock, timeZone, cache }: AppContext, { events }: { events: EventSource }) {
  async function describe(
    event: ListedEvent,
    { settings, counts, paid }: { settings: RsvpSettings | null; counts: RsvpCounts; paid: number },
  ): Promise<ConsoleEvent> {
    const details = cache.content().events.get(event.id) ?? (await events.findDraft(event.id))
    const taken = sumTakenSeats(counts)
    return {
      id: event.id,
      title: event.title,
      when: event.when,
      location: event.location,
      startsOn: event.startsOn,
      content: event.state,
      rsvps: rsvpState(settings && details && toRsvpRuleInput(settings, details, timeZone), taken, clock.now()),
      capacity: settings?.capacity ?? null,
      taken,
      coming: counts.coming,
      waiting: counts.waiting,
      arrived: counts.arrived,
      price: settings && settings.kinds.length > 0 ? lowestPrice(settings.kinds) : (settings?.price ?? null),
      paid,
    }
  }

  return {
    async list({ tab, q = '', page, size }: QueryOf<typeof listEvents>): Promise<ReplyOf<typeof listEvents>> {
      const today = dayOf(clock.now(), timeZone)
      const all = await events.list()
      const byTab = Map.groupBy(all, (event) => tabOf(event, today))
      const search = q.toLowerCase()
      const found = (byTab.get(tab) ?? [])
        .filter(({ title, location }) => `${title} ${location}`.toLowerCase().includes(search))
        .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
      if (tab === 'past') found.reverse()
      const shown = found.slice((page - 1) * size, page * size)
      const [settings, counts, paid] = await Promise.all([
        listRsvpSettings(db),
        countRsvps(db, clock.now()),
        listPaidByEvent(
          db,
          shown.map(({ id }) => id),
        ),
      ])
      return {
        events: await Promise.all(
          shown.map((event) =>
            describe(event, {
              settings: settings.find(({ eventId }) => eventId === event.id) ?? null,
              counts: counts.get(event.id) ?? NO_RSVPS,
              paid: paid.get(event.id) ?? 0,
            }),
          ),
        ),
        total: found.length,
        counts: {
          upcoming: byTab.get('upcoming')?.length ?? 0,
          past: byTab.get('past')?.length ?? 0,
          drafts: byTab.get('drafts')?.length ?? 0,
        },
      }
    },

    /** @throws Problem NOT_FOUND */
    async read(id: string): Promise<EventHead> {
      const event = await events.find(id)
      if (!event) throw new Problem('NOT_FOUND')
      const [settings, counts, paid, messages] = await Promise.all([
        findRsvpSettings(db, id),
        countRsvps(db, clock.now(), id),
        listPaidByEvent(db, [id]),
        countGuestMessages(db, id),
      ])
      const known = { settings, counts: counts.get(id) ?? NO_RSVPS, paid: paid.get(id) ?? 0 }
      return {
        ...(await describe(event, known)),
        path: event.isPublished ? `/events/${id}` : null,
        hasSettings: settings !== null,
        messages,
      }
    },

    /** RSVPs of the copy are not open, and its days keep their distance from the event. @throws Problem NOT_FOUND */
    async copy(officer: Officer, id: string, startsOn: string): Promise<{ id: string }> {
      const copy = await events.copy(officer, id, startsOn)
      const settings = await findRsvpSettings(db, id)
      const moved = (day: string | null) => (day === null ? null : addDays(day, copy.days))
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        if (settings) {
          const { closesOn, refundUntil } = settings
          const copied = { ...settings, closesOn: moved(closesOn), refundUntil: moved(refundUntil) }
          const taken = { taken: 0, now }
          await storeRsvpSettings(tx, { ...copied, eventId: copy.id, isOpen: false, version: 0 }, taken)
        }
        const details = { before: null, after: { copy: copy.id } }
        await writeAudit(tx, { actor: officer.accountId, action: 'event.copied', subjectId: id, details }, now)
      })
      return { id: copy.id }
    },
  }
}

export type EventList = ReturnType<typeof createEventList>

/** An event without a readable date is among the past ones, as on the site (docs/product-rules.md#event-dates). */
function tabOf({ isPublished, startsOn, endsOn }: ListedEvent, today: string): EventTab {
  if (!isPublished) return 'drafts'
  const lastDay = endsOn ?? startsOn
  return lastDay !== null && lastDay >= today ? 'upcoming' : 'past'
}

function sortKey({ startsOn, title }: ListedEvent): string {
  return `${startsOn ?? ''} ${title}`
}

/** The cheapest kind of ticket that is not free; null if all are. */
function lowestPrice(kinds: RsvpSettings['kinds']): number | null {
  const prices = kinds.map(({ price }) => price).filter((price) => price > 0)
  return prices.length > 0 ? Math.min(...prices) : null
}
