import { Menu, MenuButton, MenuItem, MenuItems } from '@headlessui/react'
import { useEffect, useRef } from 'react'
import type { DropdownProps } from './dropdown.tsx'
import { NavigationLink } from '../link.tsx'

export type DropdownMenuProps = DropdownProps

/** Loaded on demand by dropdown.tsx when its menu opens; import that instead. */
export function DropdownMenu({ children, buttonClass, name, current, end, intro, items }: DropdownMenuProps) {
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    // It replaces a plain button that was just pressed, so it takes the focus and opens.
    button.current?.focus()
    button.current?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  }, [])

  return (
    <Menu as="div" className={end ? 'dropdown end' : 'dropdown'}>
      <MenuButton ref={button} className={buttonClass} aria-label={name} aria-current={current || undefined}>
        {children}
      </MenuButton>
      <MenuItems className="dropdown-items" modal={false}>
        {intro && <p className="dropdown-intro">{intro}</p>}
        {items.map((item) => (
          <MenuItem key={item.label}>
            {'to' in item ? (
              <NavigationLink to={item.to} className="dropdown-item">
                <ItemText {...item} />
              </NavigationLink>
            ) : (
              <button type="button" className="dropdown-item" onClick={item.onSelect}>
                <ItemText {...item} />
              </button>
            )}
          </MenuItem>
        ))}
      </MenuItems>
    </Menu>
  )
}

function ItemText({ label, hint }: { label: string; hint?: string }) {
  return (
    <>
      {label}
      {hint && <kbd aria-hidden="true">{hint}</kbd>}
    </>
  )
}
