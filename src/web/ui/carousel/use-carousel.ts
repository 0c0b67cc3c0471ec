import { useEffect, useRef, useState, type FocusEvent, type MouseEvent, type PointerEvent } from 'react'

/** After previous, next or a dot the slides stand still for so long. */
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
  /** For the element around slides and controls: while the pointer rests on it or the keyboard's focus is inside, nothing moves. */
  hold: {
    onPointerOver(event: PointerEvent): void
    onPointerLeave(event: PointerEvent): void
    onClick(event: MouseEvent): void
    onKeyDown(): void
    onFocus(event: FocusEvent): void
    onBlur(event: FocusEvent): void
  }
}

/** Slides that change by a timer, never by CSS (docs/product-rules.md#carousels): none under reduced motion, none while held. */
export function useCarousel({ count, everyMs }: { count: number; everyMs: number }): Carousel {
  const [index, setIndex] = useState(0)
  const [isPlaying, setPlaying] = useState(true)
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [restUntil, setRestUntil] = useState(0)
  // The control that the pointer pressed last and still rests on.
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
    isStill,
    toggle: () => setPlaying(!isPlaying),
    goTo(wanted) {
      setIndex((wanted + count) % count)
      setRestUntil(performance.now() + REST_MS)
    },
    hold: {
      onPointerOver({ pointerType, target }) {
        if (pointerType !== RESTING || (pressed.current && controlOf(target) === pressed.current)) return
        pressed.current = null
        setHovered(true)
      },
      onPointerLeave({ pointerType }) {
        if (pointerType !== RESTING) return
        pressed.current = null
        setHovered(false)
      },
      // A pointer that has just pressed a control rests there because of that: it holds the slides again once it moves on to something else.
      onClick({ target, detail }) {
        // Enter and Space click without a pointer.
        const control = detail > 0 ? controlOf(target) : null
        if (!control) return
        pressed.current = control
        setHovered(false)
      },
      onKeyDown: () => setFocused(true),
      // A click leaves the focus on its button; only the keyboard's focus holds the slides.
      onFocus: ({ target }) => setFocused(target.matches(':focus-visible')),
      onBlur({ currentTarget, relatedTarget }) {
        if (!currentTarget.contains(relatedTarget)) setFocused(false)
      },
    },
  }
}

function controlOf(target: EventTarget): Element | null {
  return target instanceof Element ? target.closest('button') : null
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
