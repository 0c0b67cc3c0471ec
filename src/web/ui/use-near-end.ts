import { useEffect, useEffectEvent, type RefObject } from 'react'

interface NearEnd {
  /** The element at the end of the list. */
  end: RefObject<HTMLElement | null>
  /** How far below the viewport it may still be. */
  marginPx: number
  /** While false, `onNear` is not called; when it becomes true again, it is called again if the end is close. */
  isEnabled: boolean
  onNear(): void
}

/** Calls `onNear` when the end of a list comes close to the viewport. */
export function useNearEnd({ end, marginPx, isEnabled: isWatching, onNear }: NearEnd): void {
  const notify = useEffectEvent(onNear)

  useEffect(() => {
    const element = end.current
    if (!isWatching || !element) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) notify()
      },
      { rootMargin: `0px 0px ${marginPx}px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [end, marginPx, isWatching])
}
