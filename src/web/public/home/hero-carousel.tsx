import { useState } from 'react'
import { isUpcomingInCarousel, takesPlace, type AssociationEvent } from '#contract/public/events.ts'
import type { StoredImage } from '#contract/public/media.ts'
import { contentPaths, paths } from '#web/app/paths.ts'
import { usePictures } from '#web/shared/use-pictures.ts'
import { MoreLink } from '#web/ui/button.tsx'
import { CarouselControls } from '#web/ui/carousel/carousel-controls.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { useCarousel } from '#web/ui/carousel/use-carousel.ts'
import { DetailsLink } from '#web/shared/details-link.tsx'
import { HERO_SIZES, heroPicture } from './event-picture.ts'

const EVERY_MS = 5_000

interface HeroCarouselProps {
  /** In display order. */
  events: AssociationEvent[]
  /** The server-rendered images of the hero folder. */
  images: StoredImage[]
  /** The current date in the association's time zone. */
  today: string
}

/** The hero carousel: one event at a time, upcoming first, each with the next of the home page's top images. */
export function HeroCarousel({ events, images: rendered, today }: HeroCarouselProps) {
  const { images, onPictureFailed: pictureFailed } = usePictures('home', 'hero', rendered)
  // Enough slides to show every event and every image.
  const count = Math.max(events.length, images.length)
  const slides = Array.from({ length: count }, (_, at) => ({ at, event: events[at % Math.max(1, events.length)] }))
  const carousel = useCarousel({ count, everyMs: EVERY_MS })
  const { index, isPlaying, holdHandlers: hold } = carousel
  // Load images when their slide is shown, so that they don't delay the first one.
  const [seen, setSeen] = useState<readonly number[]>([0])
  if (!seen.includes(index)) setSeen([...seen, index])

  if (count === 0) return null
  return (
    <section className="window panel" aria-roledescription="carousel" aria-label="Events" {...hold}>
      <figure className="jharokha slides">
        {slides.map(({ event, at }) => {
          if (!seen.includes(at)) return null
          const { src, image } = heroPicture(event, images, at)
          return (
            <div key={at} inert={at !== index}>
              <Picture
                src={src}
                alt={image?.alt ?? ''}
                width={1200}
                height={1000}
                sizes={image?.sizes}
                displayWidth={HERO_SIZES}
                isPriority={at === 0}
                onFailed={() => image && pictureFailed(image)}
              />
            </div>
          )
        })}
      </figure>
      <div className="slip">
        <div className="slides" aria-live={isPlaying ? 'off' : 'polite'}>
          {slides.map(
            ({ event, at }) => event && <Slide key={at} event={event} today={today} isCurrent={at === index} />,
          )}
        </div>
        {count > 1 && (
          <CarouselControls
            carousel={carousel}
            label="Event slides"
            slides={slides.map(({ event }) => event?.title ?? 'Picture')}
          />
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
        {event.title} {isUpcoming && <span className="soft">({takesPlace(event) ? 'Upcoming' : 'Canceled'})</span>}
      </h2>
      <p className="when">
        {[event.date, event.time].filter(Boolean).join(', ')} <span className="place">{event.location}</span>
      </p>
      <div className="row">
        <DetailsLink
          event={{ ...event, detailsLink: event.detailsLink || contentPaths.event(event.id) }}
          className="button line small"
        >
          {isUpcoming && takesPlace(event) ? 'RSVP Now' : 'Learn More'}
        </DetailsLink>
        <MoreLink to={paths.events()}>View All Events</MoreLink>
      </div>
    </div>
  )
}
