/** The main navigation and the links in the footer: what they are until officers change them, and how their changes apply. */

/** Directly in the bar, or in one of its dropdowns. */
export type MenuPlace = 'bar' | 'Events' | 'About'

export interface MenuEntry {
  path: string
  label: string
  nav: MenuPlace
}

/** The label of a page's entry: as officers wrote it in the menu, else the usual one. */
export function menuLabel(path: string, listed: readonly { page: string; label?: string | undefined }[]): string {
  const usual = USUAL_MENU.find((entry) => entry.path === path)
  return listed.find(({ page }) => page === path)?.label ?? usual?.label ?? ''
}

export interface FooterLink {
  path: string
  label: string
}

/** The pages with a fixed address, in their usual order. */
export const USUAL_MENU: readonly MenuEntry[] = [
  { path: '/', label: 'Home', nav: 'bar' },
  { path: '/events', label: 'Events', nav: 'Events' },
  { path: '/news', label: 'News', nav: 'Events' },
  { path: '/about', label: 'Our Mission', nav: 'About' },
  { path: '/faqs', label: 'FAQs', nav: 'About' },
  { path: '/executive-committee', label: 'Executive Committee', nav: 'About' },
  { path: '/board-directors', label: 'Board of Directors', nav: 'About' },
  { path: '/board-trustees', label: 'Board of Trustees', nav: 'About' },
  { path: '/committees', label: 'Committees', nav: 'About' },
  { path: '/past-presidents', label: 'Past Presidents List', nav: 'About' },
  { path: '/students-residents', label: 'Students and Residents', nav: 'About' },
  { path: '/scholarships-awards', label: 'Scholarships and Awards', nav: 'About' },
  { path: '/clinic', label: 'Clinic', nav: 'bar' },
  { path: '/become-a-member', label: 'Memberships', nav: 'bar' },
  { path: '/newsletter', label: 'Newsletter', nav: 'bar' },
  { path: '/sponsor-us', label: 'Sponsor Us', nav: 'bar' },
  { path: '/contact', label: 'Contact Us', nav: 'bar' },
]

export const USUAL_FOOTER: readonly FooterLink[] = [
  { path: '/', label: 'Home' },
  { path: '/about', label: 'About Us' },
  { path: '/clinic', label: 'Clinic' },
  { path: '/news', label: 'News' },
  { path: '/become-a-member', label: 'Become a Member' },
  { path: '/contact', label: 'Contact' },
]

/**
 * The entries that a list names, in its order, with each of `usual` that it does not name behind the one it usually follows: an old list still has
 * the pages of a newer release where they belong.
 */
export function withUsualEntries<Entry>(
  listed: readonly Entry[],
  usual: readonly Entry[],
  keyOf: (entry: Entry) => string,
): Entry[] {
  const all = [...listed]
  for (const [index, entry] of usual.entries()) {
    if (listed.some((one) => keyOf(one) === keyOf(entry))) continue
    const before = usual[index - 1]
    all.splice(before ? all.findIndex((one) => keyOf(one) === keyOf(before)) + 1 : 0, 0, entry)
  }
  return all
}
/** 'Committees 2024-2025' for the term '2024-25', so that the menu and the page show the same years. */
export function labelWithTerm(label: string, term: string | null): string {
  if (term === null) return label
  const [, first, last = ''] = /^(\d{4})-(\d{2})$/.exec(term) ?? []
  if (!first) return `${label} ${term}`
  const year = Number(first) + 1
  return year % 100 === Number(last) ? `${label} ${first}-${year}` : `${label} ${term}`
}
