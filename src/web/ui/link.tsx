import type { ComponentProps, MouseEvent } from 'react'
import { useLocation, useNavigate, type NavigateOptions } from 'react-router'

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** A path on this site, or a full URL of another. */
  to: string
  /** Loads a new document instead of navigating in the client. */
  reloadDocument?: boolean
  /** Keeps the scroll position. */
  preventScrollReset?: boolean
  /** The picture of the card this link is in becomes the picture of the next page's head. */
  carriesPicture?: boolean
}

/**
 * A link with client-side navigation, like the router's own but without prefetching, which this site does not use and
 * which would add 2 kB to every page and two effects to every link.
 */
export function Link({ to, reloadDocument, preventScrollReset, carriesPicture, onClick, ...rest }: LinkProps) {
  const follow = useLinkNavigation()

  function click(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (reloadDocument || rest.target || !isOfThisSite(to)) return
    follow(event, to, { preventScrollReset, viewTransition: carriesPicture && namePicture(event.currentTarget) })
  }

  return <a {...rest} href={to} onClick={click} />
}

/** Handles a click on a link to a page of this site. Leaves new tabs, new windows and files to the browser. */
export function useLinkNavigation() {
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()

  return function follow(event: MouseEvent, to: string, options: NavigateOptions = {}) {
    const { defaultPrevented, button, metaKey, altKey, ctrlKey, shiftKey } = event
    if (defaultPrevented || button !== 0 || metaKey || altKey || ctrlKey || shiftKey || isFile(to)) return
    event.preventDefault()
    // Following a link to the current URL adds no history entry.
    void navigate(to, { replace: to === pathname + search + hash, ...options })
  }
}

/**
 * Names the picture of the link's card as `motion.css` names that of a page's head. Returns whether it did: not on a page with a named picture of its
 * own, since a name may occur once.
 */
function namePicture(link: HTMLAnchorElement): boolean {
  const picture = link.closest('.preview-card')?.querySelector<HTMLElement>('.picture')
  if (!picture || document.querySelector('.article, .split')) return false
  picture.style.setProperty('view-transition-name', 'head-picture')
  return true
}

/** The current path as the route table writes it. */
export function useCurrentPath(): string {
  return useLocation()
    .pathname.toLowerCase()
    .replace(/(?<=.)\/$/, '')
}

/** A navigation link that marks the current page. */
export function NavigationLink(link: LinkProps) {
  return <Link {...link} aria-current={useCurrentPath() === link.to ? 'page' : undefined} />
}

/** A document, calendar or feed. Page paths have no extension, except the console's pages about an image. */
function isFile(to: string): boolean {
  return /^(?!\/console)[^?#]*\.\w/.test(to)
}

function isOfThisSite(to: string): boolean {
  return to.startsWith('/') && !to.startsWith('//')
}
