import { useRef, useState, type ComponentType, type KeyboardEvent, type ReactNode } from 'react'
import type { DropdownMenuProps } from './dropdown-menu.tsx'
import { NavigationLink } from '../link.tsx'

interface ItemLook {
  label: string
  /** Shown at the end of the item, such as its shortcut. */
  hint?: string
}
type DropdownItem = ItemLook & ({ to: string } | { onSelect(): void })

export interface DropdownProps {
  /** The button's content. */
  children: ReactNode
  buttonClass: string
  /** The button's accessible name, if its content is not enough. */
  name?: string
  /** Marks the button: the current page is one of the items, or below one. */
  current?: boolean
  /** Aligns the menu with the button's right edge. */
  end?: boolean
  /** Shown above the items. */
  intro?: ReactNode
  items: DropdownItem[]
  /** Leaves the items out until the menu opens: for the many menus of a list, on a page that needs JavaScript anyway. */
  itemsWhenOpen?: boolean
}

/**
 * A button with a menu. The menu library is loaded when the pointer or the focus approaches, and takes over when the
 * menu first opens. Without JavaScript, no-script.tsx shows the items.
 */
export function Dropdown(props: DropdownProps) {
  const [Menu, setMenu] = useState<ComponentType<DropdownMenuProps> | null>(null)
  // If the library cannot be loaded, a plain list opens instead.
  const [plainOpen, setPlainOpen] = useState(false)
  const waiting = useRef(false)

  function open() {
    if (plainOpen) return setPlainOpen(false)
    if (waiting.current) return
    waiting.current = true
    loadMenu().then(
      (component) => setMenu(() => component),
      () => {
        waiting.current = false
        setPlainOpen(true)
      },
    )
  }

  function openByKey(event: KeyboardEvent) {
    if (event.key === 'Escape') setPlainOpen(false)
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open()
  }

  if (Menu) return <Menu {...props} />
  const { children, buttonClass, name, current, end, items, itemsWhenOpen = false } = props
  return (
    <div className={end ? 'dropdown end' : 'dropdown'}>
      <button
        type="button"
        className={buttonClass}
        aria-label={name}
        aria-current={current || undefined}
        aria-haspopup="menu"
        aria-expanded={plainOpen}
        onPointerEnter={warmUp}
        onFocus={warmUp}
        onClick={open}
        onKeyDown={openByKey}
      >
        {children}
      </button>
      <div className="dropdown-items" hidden={!plainOpen}>
        {(itemsWhenOpen && !plainOpen ? [] : items).map((item) =>
          'to' in item ? (
            <NavigationLink key={item.label} to={item.to} className="dropdown-item" onClick={() => setPlainOpen(false)}>
              {item.label}
            </NavigationLink>
          ) : (
            <button key={item.label} type="button" className="dropdown-item" onClick={item.onSelect}>
              {item.label}
            </button>
          ),
        )}
      </div>
    </div>
  )
}

async function loadMenu(): Promise<ComponentType<DropdownMenuProps>> {
  const { DropdownMenu } = await import('./dropdown-menu.tsx')
  return DropdownMenu
}

function warmUp() {
  loadMenu().catch(() => {
    // Opening retries and has its own fallback.
  })
}
