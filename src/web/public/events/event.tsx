import { data } from 'react-router'
import { adjacentEvents } from '#contract/public/event-lists.ts'
import { isHappeningNow, isUpcoming, takesPlace } from '#contract/public/events.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contentPaths, paths } from '#web/app/paths.ts'
import { sharePicture } from '#web/app/share-picture.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { CanceledEventBanner } from './canceled-event-banner.tsx'
import { EventDetailsPanel } from '#web/shared/event-details.tsx'
import { Rsvp } from '../rsvp/event-rsvp.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { eventData } from './event-data.ts'
import { MoreLink } from '#web/ui/button.tsx'
import { PreviousNext } from '#web/ui/previous-next.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import type { Route } from './+types/event'

export async function loader({ context, params }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [{ today }, event, events] = await Promise.all([
    services.rootData(),
    services.event(params.id),
    services.events(),
  ])
  if (!event) throw data(null, { status: 404 })
  const { before, after } = adjacentEvents(event, events)
  return {
    today,
    event,
    before: before && { id: before.id, title: before.title },
    after: after && { id: after.id, title: after.title },
  }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { event } = loaderData
  const contents = contentsOf(matches)
  return [
    ...pageMeta({
      contents,
      title: event.title,
      description: `${[event.date, event.time, event.location].filter(Boolean).join(', ')}. ${event.description}`,
      sharePicture: sharePicture(event.imageKey),
    }),
    ...(contents ? [eventData(event, contents)] : []),
  ]
}

export default function EventPage({ loaderData: { event, today, before, after } }: Route.ComponentProps) {
  const { association } = useFrameContents()
  const [picture, ...pictures] = [event.imageKey].flat().map(imageUrl)
  return (
    <article className="article">
      <PageHead title={event.title} lead={event.description} eyebrow={stateOf(event, today)} />
      <div className="wrap section">
        <div className="flow">
          {event.calledOff !== undefined && <CanceledEventBanner text={event.calledOff} />}
          <div className="passage details-first">
            <EventDetailsPanel event={event} today={today} />
            <div>
              {picture && (
                <figure className="passage-picture">
                  <Picture src={picture} alt="" width={1200} height={750} isPriority />
                </figure>
              )}
              {/* Sanitized on the server. */}
              <div className="prose" dangerouslySetInnerHTML={{ __html: event.html }} />
              {event.takesRsvp && (isUpcoming(event, today) || isHappeningNow(event, today)) && (
                <Rsvp key={event.id} eventId={event.id} email={association.email} />
              )}
              {pictures.length > 0 && (
                <div className="more-pictures">
                  {pictures.map((src) => (
                    <Picture key={src} src={src} alt="" width={1200} height={900} />
                  ))}
                </div>
              )}
            </div>
          </div>
        </div>
        <PreviousNext
          label="More events"
          all={<MoreLink to={paths.events()}>All events</MoreLink>}
          previous={before && { title: before.title, to: contentPaths.event(before.id) }}
          next={after && { title: after.title, to: contentPaths.event(after.id) }}
        />
      </div>
    </article>
  )
}

function stateOf(event: Route.ComponentProps['loaderData']['event'], today: string): string {
  if (!takesPlace(event)) return 'Canceled'
  if (isHappeningNow(event, today)) return event.endsOn === event.startsOn ? 'Happening today' : 'Happening now'
  return isUpcoming(event, today) ? 'Upcoming event' : 'Past event'
}
