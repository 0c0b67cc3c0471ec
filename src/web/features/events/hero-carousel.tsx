import { useState } from 'react'
import { isUpcomingInCarousel, takesPlace, type AssociationEvent } from '#contract/events.ts'
import type { StoredImage } from '#contract/media.ts'
import { contentPaths, paths } from '#web/app/paths.ts'
import { usePictures } from '#web/features/media/use-pictures.ts'
import { MoreLink } from '#web/ui/button.tsx'
import { CarouselControls } from '#web/ui/carousel-controls.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { useCarousel } from '#web/ui/use-carousel.ts'
import { DetailsLink } from './details-link.tsx'
import { heroPicture } from './event-picture.ts'

/** Specification 9. */
const EVERY_MS = 5_000

interface HeroCarouselProps {
  /** In the order they are shown. */
  events: AssociationEvent[]
  /** Of the hero folder, as the server saw it. */
  images: StoredImage[]
  /** The association's day. */
  today: string
}

/** The window of the hero: an event at a time, what is ahead first (specification 2, decision E3). */
export function HeroCarousel({ events, images: rendered, today }: HeroCarouselProps) {
  const carousel = useCarousel({ count: events.length, everyMs: EVERY_MS })
  const { images, pictureFailed } = usePictures('home', 'hero', rendered)
  const { index, isPlaying, hold } = carousel
  // A picture is fetched when its turn comes: the first one is not held up by four that nobody may wait for.
  const [seen, setSeen] = useState<readonly number[]>([0])
  if (!seen.includes(index)) setSeen([...seen, index])

  if (events.length === 0) return null
  return (
    <section className="window panel" aria-roledescription="carousel" aria-label="Events" {...hold}>
      <figure className="jharokha slides">
        {events.map((event, at) => {
          if (!seen.includes(at)) return null
          const { src, image } = heroPicture(event, images)
          return (
            <div key={event.id} inert={at !== index}>
              <Picture
                src={src}
                alt=""
                width={1200}
                height={1000}
                first={at === 0}
                onFailed={() => image && pictureFailed(image)}
              />
            </div>
          )
        })}
      </figure>
      <div className="slip">
        <div className="slides" aria-live={isPlaying ? 'off' : 'polite'}>
          {events.map((event, at) => (
            <Slide key={event.id} event={event} today={today} isCurrent={at === index} />
          ))}
        </div>
        {events.length > 1 && (
          <CarouselControls carousel={carousel} label="Event slides" slides={events.map(({ title }) => title)} />
        )}
      </div>
    </section>
  )
}

function Slide({ event, today, isCurrent }: { event: AssociationEvent; today: string; isCurrent: boolean }) {
  const isUpcoming = isUpcomingInCarousel(event, today)
  return (
    <div inert={!isCurrent}>
      <h2>
        {event.title} {isUpcoming && <span className="soft">({takesPlace(event) ? 'Upcoming' : 'Called off'})</span>}
      </h2>
      <p className="when">
        {[event.date, event.time].filter(Boolean).join(', ')}. {event.location}
      </p>
      <div className="row">
        <DetailsLink
          event={{ ...event, detailsLink: event.detailsLink || contentPaths.event(event.id) }}
          className="button small"
        >
          {isUpcoming && takesPlace(event) ? 'RSVP Now' : 'Learn More'}
        </DetailsLink>
        <MoreLink to={paths.events()}>View All Events</MoreLink>
      </div>
    </div>
  )
}
