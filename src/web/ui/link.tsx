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
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (reloadDocument || !isOfThisSite(to) || !isPlainClick(event, rest.target)) return
    event.preventDefault()
    // The address it is on already is no further step to go back from.
    void navigate(to, { replace: to === pathname + search + hash, ...(preventScrollReset && { preventScrollReset }) })
  }

  return <a {...rest} href={to} onClick={follow} />
}

interface NavigationLinkProps extends LinkProps {
  /** The pages below it are its own. */
  withPagesBelow?: boolean
}

/** A link of a navigation: it says when it leads to the page that is shown. */
export function NavigationLink({ withPagesBelow, ...link }: NavigationLinkProps) {
  const path = useLocation()
    .pathname.toLowerCase()
    .replace(/(?<=.)\/$/, '')
  const isCurrent = path === link.to || (withPagesBelow === true && path.startsWith(`${link.to}/`))
  return <Link {...link} aria-current={isCurrent ? 'page' : undefined} />
}

function isOfThisSite(to: string): boolean {
  return to.startsWith('/') && !to.startsWith('//')
}

/** Anything else is the browser's: a new tab, a new window, a file to save. */
function isPlainClick(event: MouseEvent, target: string | undefined): boolean {
  const { defaultPrevented, button, metaKey, altKey, ctrlKey, shiftKey } = event
  const isForBrowser = defaultPrevented || button !== 0 || metaKey || altKey || ctrlKey || shiftKey
  return !isForBrowser && (target === undefined || target === '_self')
}
