import { useEffect, useRef } from 'react'
import type { StoredImage } from '#contract/public/media.ts'
import { CarouselControls } from '#web/ui/carousel/carousel-controls.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { useCarousel } from '#web/ui/carousel/use-carousel.ts'
import { captionOf } from '#web/shared/pictures/picture-caption.rules.ts'
import { PICTURES_FAILED, usePictures } from '#web/shared/pictures/use-pictures.ts'

const EVERY_MS = 4_000

/** The 'in action' carousel: a strip that scrolls by touch and keyboard, and advances automatically. */
export function Gallery({ images: rendered }: { images: StoredImage[] }) {
  const { step, images, onPictureFailed: pictureFailed } = usePictures('home', 'gallery', rendered)
  const carousel = useCarousel({ count: images.length, everyMs: EVERY_MS })
  const strip = useRef<HTMLDivElement | null>(null)
  const { index, prefersReducedMotion: isStill, holdHandlers: hold } = carousel
  const isFirst = useRef(true)

  useEffect(() => {
    // Don't scroll before the first change.
    if (isFirst.current && index === 0) return
    isFirst.current = false
    const figure = strip.current?.children[index]
    if (!strip.current || !(figure instanceof HTMLElement)) return
    const left = figure.offsetLeft - (strip.current.clientWidth - figure.offsetWidth) / 2
    strip.current.scrollTo({ left, behavior: isStill ? 'instant' : 'smooth' })
  }, [index, isStill])

  if (step === 'ready' && images.length === 0) return null
  return (
    <section
      className="section panel gallery"
      aria-roledescription="carousel"
      aria-label="The association in action"
      {...hold}
    >
      <div className="wrap carousel-head">
        <h2>The association in action</h2>
        {images.length > 1 && (
          <>
            <progress className="carousel-progress" aria-label="Pictures shown" value={index + 1} max={images.length} />
            <CarouselControls carousel={carousel} label="Picture slides" />
          </>
        )}
      </div>
      {step === 'loading' && <p className="wrap">Loading images...</p>}
      {step === 'failed' && <p className="wrap">{PICTURES_FAILED}</p>}
      {images.length > 0 && (
        <div className="strip" ref={strip} role="group" aria-label="Pictures" tabIndex={0}>
          {images.map((image) => (
            <figure key={image.key}>
              <Picture
                src={image.url}
                alt={image.alt ?? ''}
                width={1200}
                height={900}
                sizes={image.sizes}
                onFailed={() => pictureFailed(image)}
              />
              {captionOf(image) && <figcaption>{captionOf(image)}</figcaption>}
            </figure>
          ))}
        </div>
      )}
    </section>
  )
}
