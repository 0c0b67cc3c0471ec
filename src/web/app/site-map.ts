import { isOff } from '#contract/parts.ts'
import type { MenuEntry, MenuPlace } from '#contract/menu.ts'
import type { RootData } from '#server/pages/page-services.ts'
import { paths } from './paths.ts'

type NavEntry =
  | { kind: 'link'; page: MenuEntry }
  | { kind: 'dropdown'; name: Exclude<MenuPlace, 'bar'>; pages: MenuEntry[] }

/**
 * The menu as it is shown, without parts that are off. A dropdown takes the position of its first page and is left out if it has none.
 * @param frame has the term of the current committees, such as '2024-25', so that the menu and the page show the same years
 */
export function mainNavigation({
  menu,
  committeesTerm,
  partsOff,
}: Pick<RootData, 'menu' | 'committeesTerm' | 'partsOff'>): NavEntry[] {
  const entries: NavEntry[] = []
  for (const known of menu.filter(({ path }) => !isOff(path, partsOff))) {
    const { nav } = known
    const page = known.path === paths.committees() ? { ...known, label: withTerm(known.label, committeesTerm) } : known
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

/** 'Committees 2024-2025' for the term '2024-25'. */
function withTerm(label: string, term: string | null): string {
  if (term === null) return label
  const [, first, last = ''] = /^(\d{4})-(\d{2})$/.exec(term) ?? []
  if (!first) return `${label} ${term}`
  const year = Number(first) + 1
  return year % 100 === Number(last) ? `${label} ${first}-${year}` : `${label} ${term}`
}
