import type { ComponentProps, MouseEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** An address of this site from its slash on, or a whole one of another. */
  to: string
  /** Opened as a document, not within the page. */
  reloadDocument?: boolean
  /** The page stays where it was scrolled to. */
  preventScrollReset?: boolean
}

/**
 * A link that changes the page without loading it anew, as the router's own does; it knows nothing of fetching ahead, which this site does not do and
 * which is 2 kB of every page and two effects of every link.
 */
export function Link({ to, reloadDocument, preventScrollReset, onClick, ...rest }: LinkProps) {
  const follow = useFollow()

  function click(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (!reloadDocument && !rest.target && isOfThisSite(to)) follow(event, to, { preventScrollReset })
  }

  return <a {...rest} href={to} onClick={click} />
}

/** What a click on a link to a page of this site does. Anything but a plain one is the browser's: a new tab, a new window, a file. */
export function useFollow() {
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()

  return function follow(event: MouseEvent, to: string, options: { preventScrollReset?: boolean | undefined } = {}) {
    const { defaultPrevented, button, metaKey, altKey, ctrlKey, shiftKey } = event
    if (defaultPrevented || button !== 0 || metaKey || altKey || ctrlKey || shiftKey || isFile(to)) return
    event.preventDefault()
    // The address it is on already is no further step to go back from.
    void navigate(to, { replace: to === pathname + search + hash, ...options })
  }
}

/** A link of a navigation: it says when it leads to the page that is shown. */
export function NavigationLink(link: LinkProps) {
  const path = useLocation()
    .pathname.toLowerCase()
    .replace(/(?<=.)\/$/, '')
  return <Link {...link} aria-current={path === link.to ? 'page' : undefined} />
}

/** A document, calendar or feed. Pages have no ending, but for those of the console that are of a picture. */
function isFile(to: string): boolean {
  return /^(?!\/console)[^?#]*\.\w/.test(to)
}

function isOfThisSite(to: string): boolean {
  return to.startsWith('/') && !to.startsWith('//')
}
