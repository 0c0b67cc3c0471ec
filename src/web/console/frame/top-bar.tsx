import { ROLE_NAMES } from '#contract/access.ts'
import { paths } from '#web/app/paths.ts'
import { signOut } from '#web/session/session.ts'
import { Dropdown } from '#web/ui/overlays/dropdown.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import { ICONS } from '../ui/console-icons.ts'
import { Face } from '../ui/face.tsx'
import type { Officer } from '../shell/use-officer.ts'
import { newItemsFor } from './navigation.ts'
import { UnsavedBar } from './unsaved-bar.tsx'

interface TopBarProps {
  associationName: string
  officer: Officer
  onSearch(): void
  onShortcuts(): void
}

/** The bar above every console page: search or what is not saved, New menu, the site, and the officer. */
const SEARCH = 'Search members, events, pages, messages'

export function TopBar({ associationName, officer, onSearch, onShortcuts }: TopBarProps) {
  const newItems = newItemsFor(officer.permissions)
  const roles = officer.roles.map((role) => ROLE_NAMES[role]).join(' and ')

  return (
    <header className="console-bar">
      <Link className="mark" to={paths.console()} aria-label={`${associationName}, console home`}>
        <i aria-hidden="true" />
        <span aria-hidden="true">{associationName}</span>
      </Link>
      <button type="button" className="find" aria-label={SEARCH} aria-keyshortcuts="/ Control+K" onClick={onSearch}>
        <Icon d={ICONS.search} />
        <span aria-hidden="true">{SEARCH}</span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      <UnsavedBar />
      {newItems.length > 0 && (
        <Dropdown
          buttonClass="bar-button solid new-menu"
          end
          items={newItems.map(({ label, url, shortcut }) => ({
            label,
            to: url,
            ...(shortcut && { hint: `n ${shortcut}` }),
          }))}
        >
          <Icon d={ICONS.plus} />
          New
        </Dropdown>
      )}
      <Link className="bar-button wide" to={paths.home()} reloadDocument>
        <Icon d={ICONS.external} />
        View site
      </Link>
      <Dropdown
        buttonClass="bar-button"
        name={`${officer.name}, ${roles}`}
        end
        intro={
          <>
            <strong>{officer.name}</strong>
            <br />
            {roles}
          </>
        }
        items={[
          { label: 'My membership', to: paths.account() },
          { label: 'My security', to: `${paths.console()}/access` },
          { label: 'Keyboard shortcuts', onSelect: onShortcuts, hint: '?' },
          { label: 'View site', to: paths.home() },
          // The console then asks to log in again; that works without a network too.
          { label: 'Log out', onSelect: signOut },
        ]}
      >
        <Face name={officer.name} />
      </Dropdown>
    </header>
  )
}
