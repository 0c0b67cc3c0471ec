import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Carousel } from './use-carousel.ts'

interface CarouselControlsProps {
  carousel: Carousel
  label: string
  /** Names of the slides, for a dot each; without them there are no dots. */
  slides?: string[]
}

/** In the order of the look: pause, previous, dots on large screens, next. */
export function CarouselControls({ carousel, label, slides = [] }: CarouselControlsProps) {
  const { index, isPlaying, isStill, toggle, goTo } = carousel
  return (
    <div className="carousel-controls" role="group" aria-label={label}>
      {!isStill && (
        <Control label={isPlaying ? 'Pause slides' : 'Play slides'} onClick={toggle}>
          {isPlaying ? <Pause /> : <Play />}
        </Control>
      )}
      <Control label="Previous slide" onClick={() => goTo(index - 1)}>
        <ChevronLeft />
      </Control>
      {slides.length > 0 && (
        <span className="dots">
          {slides.map((name, at) => (
            <button
              key={name}
              type="button"
              aria-label={`Slide ${at + 1} of ${slides.length}: ${name}`}
              aria-current={at === index || undefined}
              onClick={() => goTo(at)}
            />
          ))}
        </span>
      )}
      <Control label="Next slide" onClick={() => goTo(index + 1)}>
        <ChevronRight />
      </Control>
    </div>
  )
}

function Control({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="icon" aria-label={label} onClick={onClick}>
      {children}
    </button>
  )
}
