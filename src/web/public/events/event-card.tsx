import { useLocation } from 'react-router'
import { isUpcoming, takesPlace, type AssociationEvent } from '#contract/events.ts'
import { contentPaths } from '#web/app/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { pictureAddress } from '#web/ui/picture-address.ts'
import { DateTag } from './date-tag.tsx'
import { DetailsLink } from './details-link.tsx'

interface EventCardProps {
  event: AssociationEvent
  /** The association's day. */
  today: string
  /** Its picture is the first of the page. */
  first?: boolean
}

/** The heading leads to the event's own page and spreads over the card; the button leads where an officer wants it to. */
export function EventCard({ event, today, first = false }: EventCardProps) {
  const { pathname } = useLocation()
  const isAhead = isUpcoming(event, today)
  return (
    <article className="card event-card">
      <div className="event-picture">
        <Picture src={pictureAddress(event.imageKey)} alt="" width={1200} height={900} first={first} />
        <DateTag day={event.startsOn} />
      </div>
      <div className="card-body">
        {isAhead && <p>{takesPlace(event) ? <Badge>Upcoming</Badge> : <Badge tone="bad">Called off</Badge>}</p>}
        <h3>
          <Link to={contentPaths.event(event.id)}>{event.title}</Link>
        </h3>
        <p className="meta">
          {[event.date, event.time].filter(Boolean).join(', ')}
          <br />
          {event.location}
        </p>
        <p>{event.description}</p>
        {event.detailsLink !== '' && event.detailsLink !== pathname && (
          <p className="card-action">
            <DetailsLink event={event} className="button line small">
              {isAhead && takesPlace(event) ? 'RSVP Now' : 'Learn More'}
            </DetailsLink>
          </p>
        )}
      </div>
    </article>
  )
}
