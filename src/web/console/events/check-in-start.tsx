import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { listEvents, type ConsoleEvent } from '#contract/console/events/events.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { CHECK_IN_LIST_PREFIX } from '#web/session/check-in-storage.ts'
import { localStore } from '#web/session/browser-storage.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { parseCheckIn } from './check-in.rules.ts'
import { eventUrls } from './event/event-urls.ts'

const SHOWN = '20'

/** Leads to the check-in list of an event: at once to today's if there is one, or to one that is chosen here. */
export default function CheckInStartPage() {
  const events = useLoaded(listEvents, { query: { tab: 'upcoming', size: SHOWN } })
  const navigate = useNavigate()
  const [today] = useState(() => dayOf(Date.now()))
  const choices = events.value?.events.filter(takesRsvps) ?? []
  // An event of several days is upcoming until its last.
  const isToday = ({ startsOn }: ConsoleEvent) => startsOn !== null && startsOn <= today
  const [first, ...others] = choices.filter(isToday)
  const only = others.length === 0 ? first?.id : undefined

  useEffect(() => {
    if (only !== undefined) void navigate(eventUrls(only).checkIn, { replace: true })
  }, [only, navigate])

  // Another page is on its way.
  if (only !== undefined) return null
  return (
    <ConsolePage title="Check-in" lead="Choose the event whose guests are arriving.">
      <ListStates
        loaded={events}
        list={{ isFiltered: false, clearFilters: () => {} }}
        what="events"
        isEmpty={() => choices.length === 0}
        empty={
          <Empty title="No upcoming events with RSVPs." action={<ButtonLink to="/console/rsvp">All events</ButtonLink>}>
            Set up RSVPs of an event to check its guests in.
          </Empty>
        }
      >
        {() => (
          <Panel title="Upcoming" isFlush>
            <ul className="event-rows">
              {choices.map((event) => (
                <li key={event.id}>
                  <h3>
                    <Link to={eventUrls(event.id).checkIn}>{event.title}</Link>
                  </h3>
                  <p>{[isToday(event) ? 'Today' : event.when, event.location].filter(Boolean).join(' · ')}</p>
                  <p>
                    {event.coming} coming, {event.arrived} checked in
                  </p>
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </ListStates>
      {events.failure !== null && <ListsOnThisDevice />}
    </ConsolePage>
  )
}

function takesRsvps({ rsvps }: ConsoleEvent): boolean {
  return rsvps !== 'none' && rsvps !== 'off'
}

/** The check-in lists that this device has, for a hall without a network. */
function ListsOnThisDevice() {
  const lists = localStore
    .keys()
    .filter((key) => key.startsWith(CHECK_IN_LIST_PREFIX))
    .flatMap((key) => parseCheckIn(localStore.get(key))?.list.event ?? [])
  if (lists.length === 0) return null
  return (
    <Panel title="On this device" isFlush>
      <ul className="event-rows">
        {lists.map(({ id, title, date }) => (
          <li key={id}>
            <h3>
              {/* A new page load, which the check-in page's service worker answers without a network. */}
              <a href={eventUrls(id).checkIn}>{title}</a>
            </h3>
            <p>{date}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
