import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Announcer } from '#web/ui/announcer.tsx'

/**
 * Any negative tabindex takes an element out of the tab order. Not -1: if the focused element has -1, Headless UI moves
 * focus back to the menu button two frames after a selection, and the new page may render sooner than that.
 */
const FOCUSABLE = '-2'

/**
 * When the pathname changes, Back included: scrolls to the top, focuses the h1 and announces the title. Ignores the
 * first page and changes of query or hash.
 */
export function RouteChange() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  const [title, setTitle] = useState('')

  useEffect(() => {
    // The browser would restore the scroll position after Back; it may do so once the visitor leaves the site.
    history.scrollRestoration = 'manual'
    const restore = () => {
      history.scrollRestoration = 'auto'
    }
    addEventListener('pagehide', restore)
    return () => removeEventListener('pagehide', restore)
  }, [])

  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    scrollTo({ top: 0, behavior: 'instant' })
    focusHeading()
    setTitle(document.title)
  }, [pathname])

  return <Announcer message={title} />
}

function focusHeading() {
  const main = document.getElementById('main')
  const heading = main?.querySelector('h1') ?? main
  if (!heading) return
  // Replaces -1 as well, which pages set when they focus the heading themselves.
  heading.setAttribute('tabindex', FOCUSABLE)
  heading.focus({ preventScroll: true })
}
