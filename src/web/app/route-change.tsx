import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Announcer } from '#web/ui/announcer.tsx'
import { focusHeading, keepFocusOnHeading } from './heading-focus.ts'

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

  useEffect(keepFocusOnHeading, [])

  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    scrollTo({ top: 0, behavior: 'instant' })
    focusHeading()
    setTitle(document.title)
  }, [pathname])

  return <Announcer message={title} />
}
