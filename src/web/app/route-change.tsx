import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Announcer } from '#web/ui/announcer.tsx'
import { focusHeading, keepFocusOnHeading } from './heading-focus.ts'

/**
 * When the pathname changes, Back included: scrolls to the top, focuses the h1 and announces the title; to a section that
 * the address names, and its heading. Ignores the first page and changes of query or hash.
 */
export function RouteChange() {
  const { pathname, hash } = useLocation()
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
    const section = document.getElementById(hash.slice(1))
    scrollTo({ top: 0, behavior: 'instant' })
    const scroll = () => section?.scrollIntoView({ behavior: 'instant' })
    scroll()
    // What comes before it may have its real height only now that it has been near (`content-visibility` in layout.css).
    requestAnimationFrame(scroll)
    focusHeading(section)
    setTitle(document.title)
  }, [pathname, hash])

  return <Announcer message={title} />
}
