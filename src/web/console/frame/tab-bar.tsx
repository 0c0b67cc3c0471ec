import type { TaskKey } from '#contract/console/console.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import type { ConsoleRoute } from '../console-routes.ts'
import { ICONS } from '../ui/console-icons.ts'
import { waitingBehind, type navigationFor } from './navigation.ts'

/** The paths of the entries that a phone shows at the foot of the screen. */
const PATHS = ['', 'members', 'check-in', 'messages']

interface TabBarProps {
  groups: ReturnType<typeof navigationFor>
  section: ConsoleRoute | null | undefined
  tasks: readonly { key: TaskKey; count: number }[]
  isMenuOpen: boolean
  onMenu(): void
}

/** The most used entries at the foot of a phone's screen, and the button of the whole navigation. */
export function TabBar({ groups, section, tasks, isMenuOpen, onMenu }: TabBarProps) {
  const links = groups.flatMap((group) => group.links).filter(({ route }) => PATHS.includes(route.path))
  return (
    <nav className="tab-bar" aria-label="Most used">
      {links.map(({ route, url, label }) => {
        const waiting = waitingBehind(route, tasks)
        return (
          <Link key={url} to={url} aria-current={route === section ? 'page' : undefined}>
            {route.entry && <Icon d={ICONS[route.entry.icon]} strokeWidth={1.9} />}
            {label}{' '}
            {waiting > 0 && (
              <b className="waiting">
                {waiting}
                <span className="visually-hidden"> waiting</span>
              </b>
            )}
          </Link>
        )
      })}
      <button type="button" aria-expanded={isMenuOpen} aria-haspopup="dialog" onClick={onMenu}>
        <Icon d={ICONS.menu} strokeWidth={1.9} />
        Menu
      </button>
    </nav>
  )
}
