import { region } from '#contract/region.ts'
import { useState } from 'react'
import { EVENT_TABS, listEvents, type ConsoleEvent, type EventTab } from '#contract/console/events/events.ts'
import { formatMoney } from '#contract/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { DataTable, type Column } from '../list/data-table.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ListTools } from '../list/list-tools.tsx'
import { useList } from '../list/use-list.ts'
import { ContentStateBadge } from '../content/content-state-badge.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Empty } from '../ui/empty.tsx'
import { PageTabs } from '../ui/page-tabs.tsx'
import { DuplicateDialog } from './event/duplicate-dialog.tsx'
import { eventUrls } from './event/event-urls.ts'
import { SeatBar } from './event/seat-bar.tsx'
import { RsvpState } from './rsvp-state.tsx'

const TAB_NAMES: Record<EventTab, string> = { upcoming: 'Upcoming', past: 'Past', drafts: 'Drafts' }

const COLUMNS: Column<ConsoleEvent>[] = [
  { key: 'when', label: 'Date', priority: 2, cell: ({ when }) => when },
  {
    key: 'status',
    label: 'Status',
    staysFolded: true,
    cell: ({ rsvps, content }) =>
      rsvps === 'off' ? <Badge tone="bad">Canceled</Badge> : <ContentStateBadge state={content} />,
  },
  { key: 'rsvps', label: 'RSVPs', priority: 2, cell: (event) => <Seats event={event} /> },
  { key: 'waiting', label: 'Waitlist', priority: 3, isNumber: true, cell: ({ waiting }) => waiting || '' },
  { key: 'paid', label: 'Paid', priority: 3, isNumber: true, cell: moneyText },
]

/** Events with their seats, waitlist and payments. */
export default function EventsPage() {
  const list = useList({ name: 'events', filters: ['tab'], columns: COLUMNS.map(({ key }) => key) })
  const tab = EVENT_TABS.find((one) => one === list.filters['tab']?.[0]) ?? 'upcoming'
  const events = useLoaded(listEvents, {
    query: { tab, q: list.query || undefined, page: String(list.page), size: String(list.size) },
  })
  const [copying, setCopying] = useState<ConsoleEvent | null>(null)
  const counts = events.value?.counts

  return (
    <ConsolePage title="Events & RSVPs" action={<ButtonLink to="/console/content/events/new">New event</ButtonLink>}>
      <PageTabs
        label="Events"
        tabs={EVENT_TABS.map((one) => ({
          label: TAB_NAMES[one],
          to: one === 'upcoming' ? '/console/rsvp' : `/console/rsvp?tab=${one}`,
          isCurrent: one === tab,
          count: counts?.[one],
        }))}
      />
      <ListTools list={list} searchLabel="Title or place" />
      <ListStates
        loaded={events}
        list={{ ...list, isFiltered: list.query !== '' }}
        what="events"
        isEmpty={({ events: found }) => found.length === 0}
        empty={
          <Empty
            title={tab === 'drafts' ? 'No drafts.' : `No ${TAB_NAMES[tab].toLowerCase()} events.`}
            action={<ButtonLink to="/console/content/events/new">New event</ButtonLink>}
          >
            Start a new one, or duplicate last year’s.
          </Empty>
        }
      >
        {({ events: found, total }) => (
          <>
            <DataTable
              caption={`${TAB_NAMES[tab]} events`}
              rows={found}
              rowId={({ id }) => id}
              name={{
                label: 'Event',
                text: ({ title }) => title || 'Untitled event',
                to: (event) => eventUrls(event.id)[event.content === 'draft' ? 'details' : 'attendees'],
              }}
              columns={COLUMNS}
              list={list}
              summary={summaryOf}
              actions={(event) => [
                { label: 'Details', to: eventUrls(event.id).details },
                { label: 'RSVPs & tickets', to: eventUrls(event.id).rsvps },
                { label: 'Check-in', to: eventUrls(event.id).checkIn },
                { label: 'Duplicate', onSelect: () => setCopying(event) },
              ]}
            />
            <ListPager list={list} total={total} />
          </>
        )}
      </ListStates>
      <DuplicateDialog event={copying} onClose={() => setCopying(null)} />
    </ConsolePage>
  )
}

function Seats({ event }: { event: ConsoleEvent }) {
  const { rsvps, id } = event
  if (rsvps === 'none')
    return (
      <ButtonLink variant="line" size="small" to={eventUrls(id).rsvps} aria-label={`Set up RSVPs for ${event.title}`}>
        Set up RSVPs
      </ButtonLink>
    )
  if (rsvps === 'off') return null
  return (
    <div className="seats-taken">
      <SeatBar event={event} />
      {(rsvps === 'closed' || rsvps === 'full') && <RsvpState state={rsvps} />}
    </div>
  )
}

function moneyText({ price, paid }: ConsoleEvent): string {
  return price === null && paid === 0 ? 'Free' : formatMoney(paid, region().currency)
}

function summaryOf(event: ConsoleEvent): string {
  const seats =
    event.rsvps === 'none' ? 'RSVPs off' : `${event.taken}${event.capacity === null ? '' : ` of ${event.capacity}`}`
  return [event.when, seats, event.waiting > 0 && `${event.waiting} waiting`].filter(Boolean).join(' · ')
}
