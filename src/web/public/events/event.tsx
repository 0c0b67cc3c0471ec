import { data } from 'react-router'
import { upcomingEvents } from '#contract/public/event-lists.ts'
import { isHappeningNow, isUpcoming } from '#contract/public/events.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { sharePicture } from '#web/app/share-picture.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { CanceledEventBanner } from './canceled-event-banner.tsx'
import { EventCard } from './event-card.tsx'
import { EventContact } from './event-contact.tsx'
import { findListedLeader } from '../people/listed-leader.ts'
import { EventHead } from './event-head.tsx'
import { EventSide } from './event-side.tsx'
import { eventData } from './event-data.ts'
import { describePictures } from './event-pictures.rules.ts'
import { PayBar } from './pay-bar.tsx'
import { MoreLink } from '#web/ui/button.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { Quote } from '#web/public/quote.tsx'
import type { Route } from './+types/event'

/** Below the event. */
const MOST_COMING = 3

export async function loader({ context, params }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [{ today }, event, events] = await Promise.all([
    services.rootData(),
    services.event(params.id),
    services.events(),
  ])
  if (!event) throw data(null, { status: 404 })
  const coming = upcomingEvents(events, today).filter(({ id }) => id !== event.id)
  const contact = event.contact && { ...event.contact, leader: await findListedLeader(services, event.contact.name) }
  const urls = [event.imageKey].flat().slice(1).map(imageUrl)
  // Pictures of the gallery have captions; a drawing of the site has none.
  const isOfGallery = urls.some((url) => url.includes('/gallery/'))
  const pictures = describePictures(urls, isOfGallery ? await services.pictures('home', 'gallery') : [])
  return { today, event, coming: coming.slice(0, MOST_COMING), contact, pictures }
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

export default function EventPage({ loaderData: { event, today, coming, contact, pictures } }: Route.ComponentProps) {
  const isPast = !isUpcoming(event, today) && !isHappeningNow(event, today)
  return (
    <article>
      <EventHead event={event} today={today} />
      <div className="wrap section flow">
        {event.calledOff !== undefined && <CanceledEventBanner text={event.calledOff} />}
        <div className="passage">
          <div>
            {isPast && <h2>What happened</h2>}
            {/* Sanitized on the server. */}
            <div className="prose" dangerouslySetInnerHTML={{ __html: event.html }} />
            {event.quote && <Quote {...event.quote} />}
            {!isPast && event.goodToKnow && event.goodToKnow.length > 0 && (
              <section className="good-to-know" aria-labelledby="good-to-know">
                <h2 id="good-to-know">Good to know</h2>
                <dl>
                  {event.goodToKnow.map(({ label, value }) => (
                    <div key={label}>
                      <dt>{label}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            )}
            {!isPast && event.calledOff === undefined && contact && <EventContact contact={contact} />}
            {pictures.length > 0 && (
              <div className="more-pictures">
                {pictures.map(({ src, alt, caption, sizes }) => (
                  <figure key={src}>
                    <Picture
                      src={src}
                      alt={alt}
                      width={1200}
                      height={900}
                      sizes={sizes}
                      displayWidth="(min-width: 60rem) 45rem, 100vw"
                    />
                    {caption && <figcaption>{caption}</figcaption>}
                  </figure>
                ))}
              </div>
            )}
          </div>
          <EventSide event={event} today={today} next={coming[0]} />
        </div>
      </div>
      {event.takesRsvp && !isPast && event.calledOff === undefined && <PayBar event={event} />}
      {coming.length > 0 && (
        <section className="section ground" aria-labelledby="also-coming">
          <div className="wrap">
            <div className="head">
              <h2 id="also-coming">Also coming up</h2>
              <MoreLink to={paths.events()}>View All Events</MoreLink>
            </div>
            <div className="grid">
              {coming.map((other) => (
                <EventCard key={other.id} event={other} today={today} />
              ))}
            </div>
          </div>
        </section>
      )}
    </article>
  )
}
