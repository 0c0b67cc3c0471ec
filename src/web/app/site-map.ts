import { paths } from './paths.ts'

type DropdownName = 'Events' | 'About'

export interface Place {
  path: string
  /** Its name in the main navigation. */
  label: string
  /** In the bar itself or in one of its dropdowns. */
  nav: 'bar' | DropdownName
  /** Among the footer's quick links, under its own name and in the order of `rank`. */
  quickLink?: { label: string; rank: number }
}

/**
 * The places navigation and footer lead to, in the order of the main navigation. A page that does not exist yet is not
 * in it and is linked from nowhere; one line here brings it in everywhere. Each is one of `pageFacts` (the sitemap).
 */
export const places: Place[] = [
  { path: paths.home(), label: 'Home', nav: 'bar', quickLink: { label: 'Home', rank: 1 } },
  { path: paths.events(), label: 'Events', nav: 'Events' },
  { path: paths.news(), label: 'News', nav: 'Events', quickLink: { label: 'News', rank: 4 } },
  { path: paths.about(), label: 'Our Mission', nav: 'About', quickLink: { label: 'About Us', rank: 2 } },
  { path: paths.faqs(), label: 'FAQs', nav: 'About' },
  { path: paths.executiveCommittee(), label: 'Executive Committee', nav: 'About' },
  { path: paths.boardDirectors(), label: 'Board of Directors', nav: 'About' },
  { path: paths.boardTrustees(), label: 'Board of Trustees', nav: 'About' },
  { path: paths.committees(), label: 'Committees 2024-2025', nav: 'About' },
  { path: paths.pastPresidents(), label: 'Past Presidents List', nav: 'About' },
  { path: paths.studentsResidents(), label: 'Medical Students Residents Forum', nav: 'About' },
  { path: paths.scholarshipsAwards(), label: 'Scholarships and Awards', nav: 'About' },
  { path: paths.clinic(), label: 'Clinic', nav: 'bar', quickLink: { label: 'Clinic', rank: 3 } },
  { path: paths.becomeAMember(), label: 'Memberships', nav: 'bar', quickLink: { label: 'Become a Member', rank: 5 } },
  { path: paths.newsletter(), label: 'Newsletter', nav: 'bar' },
  { path: paths.sponsorUs(), label: 'Sponsor Us', nav: 'bar' },
  { path: paths.contact(), label: 'Contact Us', nav: 'bar', quickLink: { label: 'Contact', rank: 6 } },
]

type NavEntry = { kind: 'link'; place: Place } | { kind: 'dropdown'; name: DropdownName; places: Place[] }

/** A dropdown stands where its first member stands; without members it is left out. */
export function mainNavigation(all: Place[] = places): NavEntry[] {
  const entries: NavEntry[] = []
  for (const place of all) {
    const { nav } = place
    if (nav === 'bar') {
      entries.push({ kind: 'link', place })
      continue
    }
    const dropdown = entries.find((entry) => entry.kind === 'dropdown' && entry.name === nav)
    if (dropdown?.kind === 'dropdown') dropdown.places.push(place)
    else entries.push({ kind: 'dropdown', name: nav, places: [place] })
  }
  return entries
}

export function quickLinks(all: Place[] = places): { path: string; label: string }[] {
  return all
    .flatMap(({ path, quickLink }) => (quickLink ? [{ path, ...quickLink }] : []))
    .sort((a, b) => a.rank - b.rank)
}
