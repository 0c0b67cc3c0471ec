import { useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { Viewer } from '#web/session/viewer.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { NavigationLink, useCurrentPath } from '#web/ui/link.tsx'
import { paths } from './paths.ts'
import { isWithin, mainNavigation } from './site-map.ts'

/** From this width (768 px) header.css shows the full navigation. */
const WIDE = '(min-width: 48rem)'

export function MobileMenu({ committeesTerm, viewer }: { committeesTerm: string | null; viewer: Viewer }) {
  const { key } = useLocation()
  // The open state belongs to one history entry, so every navigation closes the menu, Back included.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const open = openAt === key
  const menuId = useId()
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!open) return
    const close = () => setOpenAt(null)
    const listening = new AbortController()
    const { signal } = listening
    setInert(true)
    matchMedia(WIDE).addEventListener('change', close, { signal })
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return
        close()
        button.current?.focus()
      },
      { signal },
    )
    document.addEventListener(
      'pointerdown',
      (event) => {
        if (event.target instanceof Node && !box.current?.contains(event.target)) close()
      },
      { signal },
    )
    return () => {
      listening.abort()
      setInert(false)
    }
  }, [open])

  return (
    <div className="menu" ref={box}>
      <button
        type="button"
        ref={button}
        aria-label={open ? 'Close menu' : 'Open menu'}
        aria-expanded={open}
        aria-controls={menuId}
        onClick={() => setOpenAt(open ? null : key)}
      >
        <i />
      </button>
      <nav id={menuId} aria-label="Main, small screens" hidden={!open}>
        <div className="menu-actions">
          {viewer.status === 'member' ? (
            <>
              <Button variant="line" onClick={viewer.signOut}>
                Sign out
              </Button>
              <ButtonLink to={paths.account()}>Account</ButtonLink>
            </>
          ) : (
            <>
              <ButtonLink variant="line" to={paths.login()}>
                Log in
              </ButtonLink>
              <ButtonLink to={paths.becomeAMember()}>Become a Member</ButtonLink>
            </>
          )}
        </div>
        <MenuLinks committeesTerm={committeesTerm} />
      </nav>
    </div>
  )
}

function MenuLinks({ committeesTerm }: { committeesTerm: string | null }) {
  const current = useCurrentPath()
  return mainNavigation(committeesTerm).map((entry) =>
    entry.kind === 'link' ? (
      <NavigationLink key={entry.page.path} to={entry.page.path}>
        {entry.page.label}
      </NavigationLink>
    ) : (
      <details key={entry.name} open={isWithin(entry.pages, current)}>
        <summary>{entry.name}</summary>
        {entry.pages.map(({ path, label }) => (
          <NavigationLink key={path} to={path}>
            {label}
          </NavigationLink>
        ))}
      </details>
    ),
  )
}

/** The page behind the open menu is dimmed (menus.css); neither keyboard nor screen reader reaches it. */
function setInert(isInert: boolean) {
  for (const part of document.querySelectorAll<HTMLElement>('main, footer')) part.inert = isInert
}
