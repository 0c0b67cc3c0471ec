import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import type { Carousel } from './use-carousel.ts'

const PAUSE = 'M9 5v14M15 5v14'
const PLAY = 'M7 4v16l13-8z'
const LEFT = 'M15 18l-6-6 6-6'
const RIGHT = 'M9 18l6-6-6-6'

interface CarouselControlsProps {
  carousel: Carousel
  label: string
  /** The slides' names, one dot each; without them there are no dots. */
  slides?: string[]
}

/** In visual order: pause, previous, dots on large screens, next. */
export function CarouselControls({ carousel, label, slides = [] }: CarouselControlsProps) {
  const { index, isPlaying, prefersReducedMotion: isStill, toggle, goTo } = carousel
  return (
    <div className="carousel-controls" role="group" aria-label={label}>
      {!isStill && (
        <Control label={isPlaying ? 'Pause slides' : 'Play slides'} onClick={toggle}>
          <Icon d={isPlaying ? PAUSE : PLAY} />
        </Control>
      )}
      <Control label="Previous slide" onClick={() => goTo(index - 1)}>
        <Icon d={LEFT} />
      </Control>
      {slides.length > 0 && (
        <span className="dots">
          {slides.map((name, at) => (
            <button
              key={`${at} ${name}`}
              type="button"
              aria-label={`Slide ${at + 1} of ${slides.length}: ${name}`}
              aria-current={at === index || undefined}
              onClick={() => goTo(at)}
            />
          ))}
        </span>
      )}
      <Control label="Next slide" onClick={() => goTo(index + 1)}>
        <Icon d={RIGHT} />
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
