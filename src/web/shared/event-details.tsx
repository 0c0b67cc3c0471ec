import { isUpcoming, takesPlace, type EventDetails } from '#contract/public/events.ts'
import { documentPaths, paths } from '#web/app/paths.ts'
import { DetailsLink } from './details-link.tsx'

/** Date, time and place, with a map link and, if the date could be parsed, a calendar entry. */
export function EventDetailsPanel({ event, today }: { event: EventDetails; today: string }) {
  const { id, date, time, startsOn, location, address, detailsLink } = event
  return (
    <aside className="detail-panel panel" aria-label="When and where">
      <dl className="details">
        <div>
          <dt>Date</dt>
          <dd>{startsOn ? <time dateTime={startsOn}>{date}</time> : date}</dd>
        </div>
        {time && (
          <div>
            <dt>Time</dt>
            <dd>{time}</dd>
          </div>
        )}
        <div>
          <dt>Place</dt>
          <dd>
            {location}
            {address && <span className="address">{address}</span>}
          </dd>
        </div>
      </dl>
      <ul className="more-links">
        {detailsLink !== '' && detailsLink !== paths.events() && (
          <li>
            <DetailsLink event={event} className="button small">
              {isUpcoming(event, today) && takesPlace(event) ? 'RSVP Now' : 'Learn More'}
            </DetailsLink>
          </li>
        )}
        {startsOn && (
          <li>
            <a href={documentPaths.eventCalendar(id)}>Add to calendar</a>
          </li>
        )}
        <li>
          <a href={mapAddress([location, address].filter(Boolean).join(', '))} rel="noopener">
            Find it on a map
          </a>
        </li>
      </ul>
    </aside>
  )
}

/** The search for a venue on the map. */
export function mapAddress(venue: string): string {
  return `https://www.openstreetmap.org/search?query=${encodeURIComponent(venue)}`
}
