import { isHappeningNow, isUpcoming, takesPlace, type EventDetails } from '#contract/public/events.ts'
import { contentPaths, documentPaths, paths } from '#web/app/paths.ts'
import { DetailsLink } from '#web/shared/details-link.tsx'
import { mapAddress } from '#web/shared/event-details.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { Link } from '#web/ui/link.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { SplitHead } from '../split-head.tsx'
import { EventFacts } from './event-facts.tsx'
import { eventStatus, fullDate } from './event-text.rules.ts'

/** When, what, where, why, and what to press. */
export function EventHead({ event, today }: { event: EventDetails; today: string }) {
  const { id, title, description, startsOn, time, location, address } = event
  const status = eventStatus(event, today)
  const isAhead = takesPlace(event) && (isUpcoming(event, today) || isHappeningNow(event, today))
  const picture = [event.imageKey].flat()[0]
  return (
    <SplitHead
      before={<Link to={paths.events()}>All events</Link>}
      eyebrow={
        <>
          {status && <span>{status}</span>}
          {status && ' '}
          {startsOn ? <time dateTime={startsOn}>{fullDate(event)}</time> : <span>{event.date}</span>}
        </>
      }
      title={title}
      lead={description}
      picture={picture && <Picture src={imageUrl(picture)} alt="" width={1200} height={1000} isPriority />}
    >
      <div className="event-facts">
        {time && (
          <p>
            <b>{time}</b>
          </p>
        )}
        <p>{location}</p>
        {address && <p className="soft">{address}</p>}
        {event.priceLine && isAhead && (
          <p>
            <b>{event.priceLine}</b>
          </p>
        )}
        {isAhead && (
          <p className="small">
            <a href={mapAddress([location, address].filter(Boolean).join(', '))} rel="noopener">
              Find it on a map
            </a>
          </p>
        )}
      </div>
      {isAhead && <EventFacts facts={event.facts} />}
      <div className="buttons">
        {event.takesRsvp && isAhead && (
          <a className="button" href="#rsvp">
            RSVP Now
          </a>
        )}
        {hasOwnLink(event) && (
          <DetailsLink event={event} className={event.takesRsvp ? 'button line' : 'button'}>
            {isUpcoming(event, today) && takesPlace(event) ? 'RSVP Now' : 'Learn More'}
          </DetailsLink>
        )}
        {isAhead && startsOn && (
          <a
            className={event.takesRsvp || hasOwnLink(event) ? 'button line' : 'button'}
            href={documentPaths.eventCalendar(id)}
          >
            Add to calendar
          </a>
        )}
      </div>
    </SplitHead>
  )
}

/** Whether an officer chose a link that leads somewhere else. */
function hasOwnLink({ id, detailsLink }: EventDetails): boolean {
  const own = contentPaths.event(id)
  return !['', paths.events(), own, `${own}#rsvp`].includes(detailsLink)
}
