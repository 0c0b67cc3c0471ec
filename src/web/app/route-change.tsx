import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Announcer } from '#web/ui/announcer.tsx'

/**
 * No stop of the Tab key, like any negative number. Not -1: Headless UI gives the focus back to the menu's button two frames after a choice when
 * it is on something with -1, and a page may come sooner than that.
 */
const FOCUSABLE = '-2'

/**
 * A change of page is a change of pathname, Back included: it scrolls to the top, moves the focus to the h1 and says
 * the title. Neither the first page nor a change of query or hash counts.
 */
export function RouteChange() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  const [title, setTitle] = useState('')

  useEffect(() => {
    // The browser would put a page reached by Back where it was left; on leaving the site it may.
    history.scrollRestoration = 'manual'
    const giveBack = () => {
      history.scrollRestoration = 'auto'
    }
    addEventListener('pagehide', giveBack)
    return () => removeEventListener('pagehide', giveBack)
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
  // Also one that has -1, as pages have it that move the focus to it themselves.
  heading.setAttribute('tabindex', FOCUSABLE)
  heading.focus({ preventScroll: true })
}
