import { useEffect, useRef, useState, type FocusEvent, type MouseEvent, type PointerEvent } from 'react'

/** The slides pause this long after previous, next or a dot. */
const PAUSE_MS = 3_000
/** Only a mouse pointer can hover; touch cannot. */
const HOVERING = 'mouse'

export interface Carousel {
  index: number
  /** Whether the visitor lets it run; hover or focus may still hold it. */
  isPlaying: boolean
  /** True if the visitor prefers reduced motion. */
  prefersReducedMotion: boolean
  toggle(): void
  /** Goes to the slide at `index`, wrapping around at both ends. */
  goTo(index: number): void
  /**
   * Handlers for the element around slides and controls: nothing moves while the pointer hovers or the keyboard focus
   * is inside.
   */
  holdHandlers: {
    onPointerOver(event: PointerEvent): void
    onPointerLeave(event: PointerEvent): void
    onClick(event: MouseEvent): void
    onKeyDown(): void
    onFocus(event: FocusEvent): void
    onBlur(event: FocusEvent): void
  }
}

/**
 * A carousel driven by a timer, not by CSS (docs/product-rules.md#carousels). It does not run with reduced motion or
 * while held.
 */
export function useCarousel({ count, everyMs }: { count: number; everyMs: number }): Carousel {
  const [index, setIndex] = useState(0)
  const [isPlaying, setPlaying] = useState(true)
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [restUntil, setRestUntil] = useState(0)
  // The control that was clicked last and is still hovered.
  const pressed = useRef<Element | null>(null)
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
    prefersReducedMotion: isStill,
    toggle: () => setPlaying(!isPlaying),
    goTo(wanted) {
      setIndex((wanted + count) % count)
      setRestUntil(performance.now() + PAUSE_MS)
    },
    holdHandlers: {
      onPointerOver({ pointerType, target }) {
        if (pointerType !== HOVERING || (pressed.current && closestButton(target) === pressed.current)) return
        pressed.current = null
        setHovered(true)
      },
      onPointerLeave({ pointerType }) {
        if (pointerType !== HOVERING) return
        pressed.current = null
        setHovered(false)
      },
      // A pointer that just clicked a control hovers because of that; it holds the slides again once it moves to
      // something else.
      onClick({ target, detail }) {
        // Enter and Space click without a pointer.
        const control = detail > 0 ? closestButton(target) : null
        if (!control) return
        pressed.current = control
        setHovered(false)
      },
      onKeyDown: () => setFocused(true),
      // A click leaves focus on its button; only keyboard focus holds the slides.
      onFocus: ({ target }) => setFocused(target.matches(':focus-visible')),
      onBlur({ currentTarget, relatedTarget }) {
        if (!currentTarget.contains(relatedTarget)) setFocused(false)
      },
    },
  }
}

function closestButton(target: EventTarget): Element | null {
  return target instanceof Element ? target.closest('button') : null
}

function useReducedMotion(): boolean {
  const [reduced, setReduced] = useState(false)
  useEffect(() => {
    const query = matchMedia('(prefers-reduced-motion: reduce)')
    const update = () => setReduced(query.matches)
    update()
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [])
  return reduced
}
