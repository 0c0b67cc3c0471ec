import { listRsvpEvents, type RsvpEventLine } from '#contract/console-rsvp.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { RsvpCounts, RsvpState } from '#web/features/events/rsvp-state.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'

/** Events people come to: what is open, and how many come. */
export default function RsvpEventsPage() {
  const events = useLoaded('rsvp', async () => (await callAsOfficer(listRsvpEvents)).events)
  return (
    <ConsolePage title="RSVPs" lead="Events to come, and those of the last 60 days.">
      <WhenLoaded loaded={events} what="the events">
        {(found) =>
          found.length === 0 ? (
            <p className="sheet">There is no event with a date to come. Events are written under Content.</p>
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

function EventLine({ event }: { event: RsvpEventLine }) {
  const address = `/console/rsvp/${encodeURIComponent(event.id)}`
  return (
    <li className="sheet entry">
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
          <ButtonLink size="small" variant="line" to={address} aria-label={`List for the door of ${event.title}`}>
            Door list
          </ButtonLink>
        )}
        <ButtonLink size="small" variant="line" to={`${address}/offer`} aria-label={`Set up RSVPs of ${event.title}`}>
          Set up
        </ButtonLink>
      </div>
    </li>
  )
}
