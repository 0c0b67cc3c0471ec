import type { MenuEntry, MenuPlace } from '#contract/menu.ts'

type NavEntry =
  | { kind: 'link'; page: MenuEntry }
  | { kind: 'dropdown'; name: Exclude<MenuPlace, 'bar'>; pages: MenuEntry[] }

/** The menu as it is shown. A dropdown takes the position of its first page and is left out if it has none. */
export function mainNavigation(menu: readonly MenuEntry[]): NavEntry[] {
  const entries: NavEntry[] = []
  for (const page of menu) {
    const { nav } = page
    if (nav === 'bar') {
      entries.push({ kind: 'link', page })
      continue
    }
    const dropdown = entries.find((entry) => entry.kind === 'dropdown' && entry.name === nav)
    if (dropdown?.kind === 'dropdown') dropdown.pages.push(page)
    else entries.push({ kind: 'dropdown', name: nav, pages: [page] })
  }
  return entries
}

/** Whether the path is one of the pages, or below one, as an event is below its list. */
export function isWithin(pages: readonly MenuEntry[], current: string): boolean {
  return pages.some(({ path }) => `${current}/`.startsWith(`${path}/`))
}
