import { listRsvpEvents, type RsvpEventSummary } from '#contract/console/rsvp.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { RsvpCounts, RsvpState } from './rsvp-state.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'

/** Events with their RSVP status and counts. */
export default function RsvpEventsPage() {
  const events = useLoaded(listRsvpEvents)
  return (
    <ConsolePage title="Events & RSVPs" lead="Upcoming events, and those of the last 60 days.">
      <WhenLoaded loaded={events} what="the events">
        {({ events: found }) =>
          found.length === 0 ? (
            <p className="card">No upcoming events. Add events under Pages & content.</p>
          ) : (
            <ul className="entries">
              {found.map((event) => (
                <EventLine key={event.id} event={event} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </ConsolePage>
  )
}

function EventLine({ event }: { event: RsvpEventSummary }) {
  const address = `/console/rsvp/${encodeURIComponent(event.id)}`
  return (
    <li className="card entry">
      <div>
        <h2>
          <Link to={event.state === 'none' ? `${address}/offer` : address}>{event.title}</Link>
        </h2>
        <p className="small soft">
          {event.date}, {event.location}
        </p>
        {event.state !== 'none' && <RsvpCounts event={event} />}
      </div>
      <RsvpState state={event.state} />
      <div className="buttons">
        {event.state !== 'none' && (
          <ButtonLink size="small" variant="line" to={address} aria-label={`Check-in for ${event.title}`}>
            Check-in
          </ButtonLink>
        )}
        <ButtonLink size="small" variant="line" to={`${address}/offer`} aria-label={`RSVP settings for ${event.title}`}>
          RSVP settings
        </ButtonLink>
      </div>
    </li>
  )
}
