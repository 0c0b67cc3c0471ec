import { useLocation } from 'react-router'
import { isUpcoming, takesPlace, type AssociationEvent } from '#contract/public/events.ts'
import { contentPaths } from '#web/app/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { DateTag } from './date-tag.tsx'
import { DetailsLink } from '#web/shared/details-link.tsx'

interface EventCardProps {
  event: AssociationEvent
  /** The current date in the association's time zone. */
  today: string
  /** Its image is the first on the page. */
  first?: boolean
}

/** The whole card links to the event's page; the button links to the address an officer chose. */
export function EventCard({ event, today, first = false }: EventCardProps) {
  const { pathname } = useLocation()
  const isAhead = isUpcoming(event, today)
  return (
    <article className="preview-card event-card">
      <div className="event-picture">
        <Picture src={imageUrl(event.imageKey)} alt="" width={1200} height={900} isPriority={first} />
        <DateTag day={event.startsOn} />
      </div>
      <div className="preview-card-body">
        {isAhead && <p>{takesPlace(event) ? <Badge>Upcoming</Badge> : <Badge tone="bad">Canceled</Badge>}</p>}
        <h3>
          <Link to={contentPaths.event(event.id)} carriesPicture>
            {event.title}
          </Link>
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
