import { isOff } from '#contract/parts.ts'
import type { RootData } from '#server/pages/page-services.ts'
import { paths } from './paths.ts'

type DropdownName = 'Events' | 'About'

export interface NavigationPage {
  path: string
  /** The link text in the main navigation. */
  label: string
  /** Directly in the bar, or in one of its dropdowns. */
  nav: 'bar' | DropdownName
}

/**
 * The pages of the main navigation, in order. A page missing here is linked from neither navigation. Each path must be
 * one of `pageData` (the sitemap).
 */
export const navigationPages: NavigationPage[] = [
  { path: paths.home(), label: 'Home', nav: 'bar' },
  { path: paths.events(), label: 'Events', nav: 'Events' },
  { path: paths.news(), label: 'News', nav: 'Events' },
  { path: paths.about(), label: 'Our Mission', nav: 'About' },
  { path: paths.faqs(), label: 'FAQs', nav: 'About' },
  { path: paths.executiveCommittee(), label: 'Executive Committee', nav: 'About' },
  { path: paths.boardDirectors(), label: 'Board of Directors', nav: 'About' },
  { path: paths.boardTrustees(), label: 'Board of Trustees', nav: 'About' },
  { path: paths.committees(), label: 'Committees', nav: 'About' },
  { path: paths.pastPresidents(), label: 'Past Presidents List', nav: 'About' },
  { path: paths.studentsResidents(), label: 'Medical Students Residents Forum', nav: 'About' },
  { path: paths.scholarshipsAwards(), label: 'Scholarships and Awards', nav: 'About' },
  { path: paths.clinic(), label: 'Clinic', nav: 'bar' },
  { path: paths.becomeAMember(), label: 'Memberships', nav: 'bar' },
  { path: paths.newsletter(), label: 'Newsletter', nav: 'bar' },
  { path: paths.sponsorUs(), label: 'Sponsor Us', nav: 'bar' },
  { path: paths.contact(), label: 'Contact Us', nav: 'bar' },
]

type NavEntry =
  | { kind: 'link'; page: NavigationPage }
  | { kind: 'dropdown'; name: DropdownName; pages: NavigationPage[] }

/**
 * A dropdown takes the position of its first page and is left out if it has none.
 * @param frame has the term of the current committees, such as '2024-25', so that the menu and the page show the same
 * years, and the pages that officers added, which follow the others of their dropdown
 */
export function mainNavigation(
  { committeesTerm, addedMenu = [], partsOff }: Pick<RootData, 'committeesTerm' | 'addedMenu' | 'partsOff'>,
  all: NavigationPage[] = navigationPages,
): NavEntry[] {
  const entries: NavEntry[] = []
  for (const known of [...all, ...addedMenu].filter(({ path }) => !isOff(path, partsOff))) {
    const { nav } = known
    const page = known.path === paths.committees() ? { ...known, label: committeesLabel(committeesTerm) } : known
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
export function isWithin(pages: readonly NavigationPage[], current: string): boolean {
  return pages.some(({ path }) => `${current}/`.startsWith(`${path}/`))
}

/** 'Committees 2024-2025' for the term '2024-25'. */
function committeesLabel(term: string | null): string {
  if (term === null) return 'Committees'
  const [, first, last = ''] = /^(\d{4})-(\d{2})$/.exec(term) ?? []
  if (!first) return `Committees ${term}`
  const year = Number(first) + 1
  return year % 100 === Number(last) ? `Committees ${first}-${year}` : `Committees ${term}`
}

/**
 * The footer's links, with its own labels. Separate from `pages` because only the server renders the footer
 * (`footer.tsx`).
 */
export const quickLinks = (): { path: string; label: string }[] => [
  { path: paths.home(), label: 'Home' },
  { path: paths.about(), label: 'About Us' },
  { path: paths.clinic(), label: 'Clinic' },
  { path: paths.news(), label: 'News' },
  { path: paths.becomeAMember(), label: 'Become a Member' },
  { path: paths.contact(), label: 'Contact' },
]
