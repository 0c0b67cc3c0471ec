import { useEffect, useRef } from 'react'

type FindNext = () => HTMLElement | null | undefined

/**
 * Keeps the keyboard on the page when what was pressed goes away. Call the returned function just before the change: once `change` is another value and nothing
 * has the focus, what it finds then gets it, else the main landmark. A component that goes away itself leaves the focus to what comes next.
 */
export function useNextFocus(change: unknown): (find?: FindNext) => void {
  const next = useRef<FindNext | null>(null)
  const frame = useRef(0)

  useEffect(() => {
    const find = next.current
    next.current = null
    if (!find) return
    // A dialog that closes returns the focus a frame later.
    frame.current = requestAnimationFrame(() => {
      for (const element of [find(), document.querySelector<HTMLElement>('#main')])
        if (document.activeElement === document.body) element?.focus()
    })
  }, [change])

  useEffect(() => () => cancelAnimationFrame(frame.current), [])

  return (find = () => null) => {
    next.current = find
  }
}
