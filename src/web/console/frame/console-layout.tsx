import { useState, type ReactNode } from 'react'
import { getToday } from '#contract/console/console.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import type { ConsoleRoute } from '../console-routes.ts'
import { useLoadingAhead } from '../load-page.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import type { Officer } from '../shell/use-officer.ts'
import { Drawer } from '../ui/drawer.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { navigationFor } from './navigation.ts'
import { NavigationList } from './navigation-list.tsx'
import { SearchPalette } from './search-palette.tsx'
import { ShortcutList } from './shortcut-list.tsx'
import { TabBar } from './tab-bar.tsx'
import { TopBar } from './top-bar.tsx'
import { useShortcuts } from './use-shortcuts.ts'

/** How often the counts beside the navigation are refreshed. */
const COUNTS_EVERY_MS = 60_000

/** What lies over the page. */
type Overlay = 'search' | 'shortcuts' | 'menu' | null

interface ConsoleLayoutProps {
  /** null before access is granted: then there is only the main landmark. */
  officer: Officer | null
  /** The route whose navigation entry is highlighted. */
  section?: ConsoleRoute | null | undefined
  children: ReactNode
}

/** Top bar, navigation and main landmark around every console page, with search and shortcuts. */
export function ConsoleLayout({ officer, section, children }: ConsoleLayoutProps) {
  const [overlay, setOverlay] = useState<Overlay>(null)
  const frame = officer && { officer, section, overlay, onOverlay: setOverlay }
  return (
    <div className={officer ? 'app' : 'console-access'}>
      {frame && <FrameAbove {...frame} />}
      {/* The same element before and after access is granted, so that it keeps the focus. */}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {frame && <FrameBelow {...frame} />}
    </div>
  )
}

interface FrameProps {
  officer: Officer
  section: ConsoleRoute | null | undefined
  overlay: Overlay
  onOverlay(overlay: Overlay): void
}

function useNavigationList({ officer, section }: FrameProps) {
  // Both parts of the frame share one request.
  const tasks = useLoaded(getToday, {}, () => COUNTS_EVERY_MS).value?.tasks ?? []
  return { groups: navigationFor(officer.permissions), section, tasks }
}

function FrameAbove(props: FrameProps) {
  const { officer, onOverlay } = props
  const { association } = useFrameContents()
  useLoadingAhead()
  useShortcuts(officer.permissions, { onSearch: () => onOverlay('search'), onHelp: () => onOverlay('shortcuts') })
  return (
    <>
      <TopBar
        associationName={association.name}
        officer={officer}
        onSearch={() => onOverlay('search')}
        onShortcuts={() => onOverlay('shortcuts')}
      />
      <nav className="side" aria-label="Console">
        <NavigationList {...useNavigationList(props)} />
      </nav>
    </>
  )
}

function FrameBelow(props: FrameProps) {
  const { officer, overlay, onOverlay } = props
  const list = useNavigationList(props)
  const close = () => onOverlay(null)
  return (
    <>
      <TabBar {...list} isMenuOpen={overlay === 'menu'} onMenu={() => onOverlay('menu')} />
      <Drawer open={overlay === 'menu'} onClose={close} title="Menu" side="start">
        <nav className="drawer-navigation" aria-label="All console pages">
          <NavigationList {...list} onChosen={close} />
        </nav>
      </Drawer>
      <SearchPalette open={overlay === 'search'} onClose={close} officer={officer} />
      <ShortcutList open={overlay === 'shortcuts'} onClose={close} officer={officer} />
      <Toasts />
    </>
  )
}
