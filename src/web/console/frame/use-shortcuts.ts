import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { Permission } from '#contract/access.ts'
import { localStore } from '#web/session/browser-storage.ts'
import { navigationFor, newItemsFor } from './navigation.ts'

const OFF_KEY = 'officer-shortcuts-off'
/** How long the first key of a pair, such as `g`, waits for the second. */
const PAIR_MS = 1_500

/** Whether single-key shortcuts are on; each officer can turn them off on their device (WCAG 2.1.4). */
export function areShortcutsOn(): boolean {
  return localStore.get(OFF_KEY) === null
}

export function turnShortcuts(isOn: boolean): void {
  if (isOn) localStore.remove(OFF_KEY)
  else localStore.set(OFF_KEY, 'yes')
}

/** Whether a key goes into a field, a menu or a dialog, and is no shortcut. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu], [role=listbox]',
    ) !== null
  )
}

/** A pair of keys, such as `g m`, and the page it opens. */
export interface Shortcut {
  keys: string
  label: string
  url: string
}

/** The pairs of keys of an officer with these permissions. */
export function shortcutsFor(permissions: readonly Permission[]): Shortcut[] {
  const pages = navigationFor(permissions).flatMap(({ links }) =>
    links.flatMap(({ route, url, label }) =>
      route.entry?.shortcut ? [{ keys: `g ${route.entry.shortcut}`, label, url }] : [],
    ),
  )
  const beginnings = newItemsFor(permissions).flatMap(({ label, url, shortcut }) =>
    shortcut ? [{ keys: `n ${shortcut}`, label: `New: ${label}`, url }] : [],
  )
  return [...pages, ...beginnings]
}

/** Opens search with `/` or Ctrl K, the list of shortcuts with `?`, and pages with pairs of keys. */
export function useShortcuts(
  permissions: readonly Permission[],
  { onSearch, onHelp }: { onSearch(): void; onHelp(): void },
): void {
  const navigate = useNavigate()
  const first = useRef<{ key: string; at: number } | null>(null)

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) {
      event.preventDefault()
      return onSearch()
    }
    if (ctrlKey || metaKey || altKey || event.defaultPrevented || isTyping(event) || !areShortcutsOn()) return
    if (document.querySelector('[role=dialog]')) return
    const before = first.current
    first.current = null
    if (key === '/' || key === '?') {
      event.preventDefault()
      return key === '/' ? onSearch() : onHelp()
    }
    if (before && event.timeStamp - before.at < PAIR_MS) {
      const found = shortcutsFor(permissions).find(({ keys }) => keys === `${before.key} ${key}`)
      if (found) {
        event.preventDefault()
        void navigate(found.url)
      }
      return
    }
    if (key === 'g' || key === 'n') first.current = { key, at: event.timeStamp }
  })

  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
