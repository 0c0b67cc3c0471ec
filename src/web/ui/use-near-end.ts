import { useEffect, useEffectEvent, type RefObject } from 'react'

interface NearEnd {
  /** What stands at the end. */
  end: RefObject<HTMLElement | null>
  /** How far below the window it may still be. */
  marginPx: number
  /** While false nothing is told; when it becomes true again, an end that is near is told anew. */
  isWatching: boolean
  onNear(): void
}

/** Tells when the end of something comes near the lower edge of the window. */
export function useNearEnd({ end, marginPx, isWatching, onNear }: NearEnd): void {
  const tell = useEffectEvent(onNear)

  useEffect(() => {
    const element = end.current
    if (!isWatching || !element) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) tell()
      },
      { rootMargin: `0px 0px ${marginPx}px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [end, marginPx, isWatching])
}
