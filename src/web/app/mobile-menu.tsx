import { useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { RootData } from '#server/pages/page-services.ts'
import type { Viewer } from '#web/session/viewer.ts'
import { LazyMembershipGreeting } from '#web/shared/lazy-membership-greeting.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { NavigationLink, useCurrentPath } from '#web/ui/link.tsx'
import { paths } from './paths.ts'
import { isWithin, mainNavigation } from './site-map.ts'

/** From this width (768 px) header.css shows the full navigation. */
const WIDE = '(min-width: 48rem)'

interface MobileMenuProps {
  contents: Pick<RootData, 'menu'>
  viewer: Viewer
}

export function MobileMenu({ contents, viewer }: MobileMenuProps) {
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
    // The page behind is dimmed (menus.css): a pointer or a focus there closes the menu.
    for (const way of ['pointerdown', 'focusin']) {
      document.addEventListener(
        way,
        ({ target }) => {
          if (target instanceof Node && !box.current?.contains(target)) close()
        },
        { signal },
      )
    }
    return () => listening.abort()
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
        {open && <LazyMembershipGreeting />}
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
        <MenuLinks contents={contents} />
      </nav>
    </div>
  )
}

function MenuLinks({ contents }: Pick<MobileMenuProps, 'contents'>) {
  const current = useCurrentPath()
  return mainNavigation(contents.menu).map((entry) =>
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
