import { Fragment } from 'react'
import type { TaskKey } from '#contract/console/console.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import type { ConsoleRoute } from '../console-routes.ts'
import { ICONS } from '../ui/console-icons.ts'
import { waitingBehind, type navigationFor } from './navigation.ts'

interface NavigationListProps {
  groups: ReturnType<typeof navigationFor>
  section: ConsoleRoute | null | undefined
  tasks: readonly { key: TaskKey; count: number }[]
  /** Called when an entry is chosen. */
  onChosen?(): void
}

/** The grouped entries of the navigation, with what waits behind them. */
export function NavigationList({ groups, section, tasks, onChosen }: NavigationListProps) {
  return groups.map(({ heading, links }) => (
    <Fragment key={heading}>
      {heading && <h2>{heading}</h2>}
      <ul>
        {links.map(({ route, url, label }) => {
          const waiting = waitingBehind(route, tasks)
          return (
            <li key={url}>
              <Link to={url} aria-current={route === section ? 'page' : undefined} onClick={onChosen}>
                {route.entry && <Icon d={ICONS[route.entry.icon]} strokeWidth={1.9} />}
                {label}{' '}
                {waiting > 0 && (
                  <b className="waiting">
                    {waiting}
                    <span className="visually-hidden"> waiting</span>
                  </b>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
    </Fragment>
  ))
}
