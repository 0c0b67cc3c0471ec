import type { MouseEvent, ReactNode } from 'react'

interface ScrollLinkProps {
  /** The id of a focusable heading. */
  to: string
  variant?: 'line'
  children: ReactNode
}

/**
 * Scrolls to a section of the same page and focuses its heading; smoothly unless the visitor prefers reduced motion.
 * Without script it is a plain link.
 */
export function ScrollLink({ to, variant, children }: ScrollLinkProps) {
  function scroll(event: MouseEvent<HTMLAnchorElement>) {
    const target = document.getElementById(to)
    if (!target || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    target.scrollIntoView({ behavior: isStill ? 'instant' : 'smooth', block: 'start' })
    target.focus({ preventScroll: true })
  }

  return (
    <a className={variant ? `button ${variant}` : 'button'} href={`#${to}`} onClick={scroll}>
      {children}
    </a>
  )
}
