import { useEffect, useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from 'react'

/**
 * Orders the children of a list by dragging them at a handle, by mouse, pen or finger. A list that uses it also has to offer Move up and Move down.
 * @param list whose children are the items
 * @param onMove puts the item at `from` to `to`; called while it is dragged over the others
 * @param onDrop called once at the end, if the item moved
 */
export function useDragOrder(
  list: RefObject<HTMLElement | null>,
  { onMove, onDrop }: { onMove(from: number, to: number): void; onDrop?: () => void },
) {
  const [dragged, setDragged] = useState<number | null>(null)
  const latest = useRef({ onMove, onDrop })
  useEffect(() => {
    latest.current = { onMove, onDrop }
  })

  /** The listener of the handle of an item. */
  function start(index: number) {
    return (event: ReactPointerEvent) => {
      if (event.button !== 0) return
      event.preventDefault()
      let at = index
      setDragged(at)
      const listening = new AbortController()
      const { signal } = listening
      const follow = ({ clientX, clientY }: PointerEvent) => {
        const to = nearestChild(list.current, clientX, clientY)
        if (to === -1 || to === at) return
        latest.current.onMove(at, to)
        at = to
        setDragged(to)
      }
      const stop = () => {
        listening.abort()
        setDragged(null)
        if (at !== index) latest.current.onDrop?.()
      }
      // On the window: the item moves in the document, which would end a pointer capture.
      window.addEventListener('pointermove', follow, { signal })
      window.addEventListener('pointerup', stop, { signal })
      window.addEventListener('pointercancel', stop, { signal })
    }
  }

  return { dragged, start }
}

/** The index of the child below a point, or of the one whose middle is nearest. */
function nearestChild(list: HTMLElement | null, x: number, y: number): number {
  let [best, distance] = [-1, Infinity]
  for (const [index, child] of [...(list?.children ?? [])].entries()) {
    const { left, top, width, height } = child.getBoundingClientRect()
    const away = Math.hypot(left + width / 2 - x, top + height / 2 - y)
    if (away < distance) [best, distance] = [index, away]
  }
  return best
}

/** A copy with the item at `from` at `to`. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_, index) => index !== from)
  const item = items[from] as T
  return [...rest.slice(0, to), item, ...rest.slice(to)]
}
