import { useEffect, useState, type FocusEvent, type PointerEvent } from 'react'

/** After previous, next or a dot the slides stand still for so long (specification 9). */
const REST_MS = 3_000
/** Touch leaves no resting pointer behind. */
const RESTING = 'mouse'

export interface Carousel {
  index: number
  /** Whether the visitor lets it run; it may still wait for a pointer or the focus to leave. */
  isPlaying: boolean
  /** Nothing moves by itself for this visitor. */
  isStill: boolean
  toggle(): void
  /** To the slide at `index`, past either end around to the other. */
  goTo(index: number): void
  /** For the element around slides and controls: while the pointer rests on it or the focus is inside, nothing moves. */
  hold: {
    onPointerEnter(event: PointerEvent): void
    onPointerLeave(event: PointerEvent): void
    onFocus(): void
    onBlur(event: FocusEvent): void
  }
}

/** Slides that change by a timer, never by CSS (decision E7; interface, "Pages"): none under reduced motion, none while held. */
export function useCarousel({ count, everyMs }: { count: number; everyMs: number }): Carousel {
  const [index, setIndex] = useState(0)
  const [isPlaying, setPlaying] = useState(true)
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [restUntil, setRestUntil] = useState(0)
  const isStill = useReducedMotion()
  const runs = isPlaying && !isHovered && !isFocused && !isStill && count > 1

  useEffect(() => {
    if (!runs) return
    const rest = Math.max(0, restUntil - performance.now())
    const timer = setTimeout(() => setIndex((index + 1) % count), rest + everyMs)
    return () => clearTimeout(timer)
  }, [runs, index, count, everyMs, restUntil])

  return {
    index: Math.min(index, Math.max(0, count - 1)),
    isPlaying,
    isStill,
    toggle: () => setPlaying(!isPlaying),
    goTo(wanted) {
      setIndex((wanted + count) % count)
      setRestUntil(performance.now() + REST_MS)
    },
    hold: {
      onPointerEnter: ({ pointerType }) => pointerType === RESTING && setHovered(true),
      onPointerLeave: ({ pointerType }) => pointerType === RESTING && setHovered(false),
      onFocus: () => setFocused(true),
      onBlur({ currentTarget, relatedTarget }) {
        if (!currentTarget.contains(relatedTarget)) setFocused(false)
      },
    },
  }
}

function useReducedMotion(): boolean {
  const [reduced, setReduced] = useState(false)
  useEffect(() => {
    const query = matchMedia('(prefers-reduced-motion: reduce)')
    const tell = () => setReduced(query.matches)
    tell()
    query.addEventListener('change', tell)
    return () => query.removeEventListener('change', tell)
  }, [])
  return reduced
}
