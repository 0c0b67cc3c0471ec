import { useState } from 'react'
import type { StoredImage } from '#contract/public/media.ts'
import { paths } from '#web/app/paths.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { usePictures } from '#web/shared/pictures/use-pictures.ts'
import { MoreLink } from '#web/ui/button.tsx'
import { CarouselControls } from '#web/ui/carousel/carousel-controls.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { useCarousel } from '#web/ui/carousel/use-carousel.ts'
import { DetailsLink } from '#web/shared/details-link.tsx'
import { HERO_SIZES, heroPicture } from './event-picture.ts'
import type { Slide } from './slides.ts'

const EVERY_MS = 5_000

interface HeroCarouselProps {
  slides: Slide[]
  /** The server-rendered images of the hero folder. */
  images: StoredImage[]
}

/** The hero carousel: one slide at a time; those without a picture of their own have the next of the home page's top images. */
export function HeroCarousel({ slides: all, images: rendered }: HeroCarouselProps) {
  const { images, onPictureFailed: pictureFailed } = usePictures('home', 'hero', rendered)
  // Enough to show every slide and every image.
  const count = Math.max(all.length, images.length)
  const slides = Array.from({ length: count }, (_, at) => ({ at, slide: all[at % Math.max(1, all.length)] }))
  const carousel = useCarousel({ count, everyMs: EVERY_MS })
  const { index, isPlaying, holdHandlers: hold } = carousel
  // Load images when their slide is shown, so that they don't delay the first one.
  const [seen, setSeen] = useState<readonly number[]>([0])
  if (!seen.includes(index)) setSeen([...seen, index])

  if (count === 0) return null
  return (
    <section className="window panel" aria-roledescription="carousel" aria-label="Events" {...hold}>
      <figure className="jharokha slides">
        {slides.map(({ slide, at }) => {
          if (!seen.includes(at)) return null
          const { src, image } = heroPicture(slide, images, at)
          return (
            <div key={at} inert={at !== index}>
              <Picture
                src={src}
                alt={image ? (image.alt ?? '') : (slide?.pictureAlt ?? '')}
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
          {slides.map(({ slide, at }) => slide && <SlideText key={at} slide={slide} isCurrent={at === index} />)}
        </div>
        {count > 1 && (
          <CarouselControls
            carousel={carousel}
            label="Event slides"
            slides={slides.map(({ slide }) => slide?.title ?? 'Picture')}
          />
        )}
      </div>
    </section>
  )
}

function SlideText({ slide, isCurrent }: { slide: Slide; isCurrent: boolean }) {
  const { title, note, when, place, text, button } = slide
  const { partsOff = [] } = useFrameContents()
  return (
    <div inert={!isCurrent}>
      <h2>
        {title} {note && <span className="soft">{note}</span>}
      </h2>
      <p className="when">
        {when || text} <span className="place">{place}</span>
      </p>
      <div className="row">
        {button && (
          <DetailsLink event={slide} className="button line small">
            {button}
          </DetailsLink>
        )}
        {!partsOff.includes('events') && <MoreLink to={paths.events()}>View All Events</MoreLink>}
      </div>
    </div>
  )
}
