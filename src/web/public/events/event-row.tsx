import { splitDay } from '#contract/dates/days.ts'
import { takesPlace, type AssociationEvent } from '#contract/public/events.ts'
import { contentPaths, documentPaths, paths } from '#web/app/paths.ts'
import { DetailsLink } from '#web/shared/details-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { Link } from '#web/ui/link.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { EventFacts } from './event-facts.tsx'
import { fewSeats, rsvpAnswer, weekday } from './event-text.rules.ts'

interface EventRowProps {
  event: AssociationEvent
  /** The current date in the association's time zone. */
  today: string
  /** Instead of the weekday: under 'Later' the heading does not name the month. */
  showMonth: boolean
  /** Its picture is the first on the page. */
  first: boolean
  /** Only one button of the page is solid. */
  solid: boolean
  /** Undefined until it is known, and while seats are not limited. */
  seatsLeft: number | undefined
}

/** One upcoming event: day, picture, what it is, and what to press. */
export function EventRow({ event, today, showMonth, first, solid, seatsLeft }: EventRowProps) {
  const { id, title, startsOn, date, time, location, description } = event
  const { month, date: dayOfMonth } = splitDay(startsOn ?? '')
  return (
    <article className="event-row">
      {startsOn && (
        <p className="event-day" aria-hidden="true">
          {showMonth ? month.slice(0, 3) : weekday(startsOn, 'short')}
          <b>{dayOfMonth}</b>
        </p>
      )}
      <Picture src={imageUrl(event.imageKey)} alt="" width={1200} height={900} isPriority={first} />
      <div className="event-row-text">
        <h4>
          <Link to={contentPaths.event(id)}>{title}</Link>
        </h4>
        <p className="meta">
          {takesPlace(event) ? <Badge tone="quiet">Upcoming</Badge> : <Badge tone="bad">Canceled</Badge>}{' '}
          <span className="visually-hidden">{date}, </span>
          {[time, location].filter(Boolean).join(', ')}
        </p>
        <p>{description}</p>
        <EventFacts facts={event.facts} />
      </div>
      <div className="event-row-action">
        {hasButton(event) ? (
          <DetailsLink event={event} className={solid ? 'button small' : 'button line small'}>
            {takesPlace(event) && !event.needsNoRsvp && !event.rsvpOpensOn ? 'RSVP Now' : 'Learn More'}
          </DetailsLink>
        ) : (
          takesPlace(event) && (
            <a className="button line small" href={documentPaths.eventCalendar(id)}>
              Add to calendar<span className="visually-hidden">: {title}</span>
            </a>
          )
        )}
        {takesPlace(event) && (
          <div className="event-row-notes">
            {event.takesRsvp ? event.priceLine && <p>{event.priceLine}</p> : <p>{rsvpAnswer(event, today).short}</p>}
            {/* Arrives after the page, in a place kept for it. */}
            {event.takesRsvp && <p>{fewSeats(seatsLeft)}</p>}
          </div>
        )}
      </div>
    </article>
  )
}

/** Whether an officer chose a link that leads away from the list. */
export function hasButton({ detailsLink }: Pick<AssociationEvent, 'detailsLink'>): boolean {
  return detailsLink !== '' && detailsLink !== paths.events()
}
