import { listRsvpEvents } from '#contract/console/rsvp.ts'
import { Link } from '#web/ui/link.tsx'
import { RsvpCounts, RsvpState } from '../events/rsvp-state.tsx'
import { WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Panel } from '../ui/panel.tsx'

const SHOWN = 3

/** The next events, with their seats. */
export function NextEvents() {
  const found = useLoaded(listRsvpEvents)
  return (
    <Panel title="Next events" action={<Link to="/console/rsvp">All events</Link>} isFlush>
      <WhenLoaded loaded={found} what="events">
        {({ events }) => {
          const next = events.filter(({ state }) => state !== 'over' && state !== 'off').slice(0, SHOWN)
          if (next.length === 0) return <p className="box-body">No upcoming events.</p>
          return (
            <ul className="event-rows">
              {next.map((event) => (
                <li key={event.id}>
                  <h3>
                    <Link to={`/console/rsvp/${encodeURIComponent(event.id)}`}>{event.title}</Link>{' '}
                    <RsvpState state={event.state} />
                  </h3>
                  <p>{[event.date, event.location].filter(Boolean).join(' · ')}</p>
                  {event.state !== 'none' && <RsvpCounts event={event} />}
                  {event.capacity !== null && (
                    <meter
                      aria-label={`Seats taken: ${event.title}`}
                      max={Math.max(1, event.capacity)}
                      value={event.counts.coming + event.counts.paying + event.counts.held}
                    />
                  )}
                </li>
              ))}
            </ul>
          )
        }}
      </WhenLoaded>
    </Panel>
  )
}
