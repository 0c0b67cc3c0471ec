import { expect, test } from 'vitest'
import { pageFacts } from './page-facts.ts'
import { paths } from './paths.ts'
import { mainNavigation, places, quickLinks, type Place } from './site-map.ts'

const site: Place[] = [
  { path: '/', label: 'Home', nav: 'bar', quickLink: { label: 'Home', rank: 1 } },
  { path: '/events', label: 'Events', nav: 'Events' },
  { path: '/news', label: 'News', nav: 'Events', quickLink: { label: 'News', rank: 4 } },
  { path: '/about', label: 'Our Mission', nav: 'About', quickLink: { label: 'About Us', rank: 2 } },
  { path: '/clinic', label: 'Clinic', nav: 'bar', quickLink: { label: 'Clinic', rank: 3 } },
]

test('a dropdown stands where its first member stands', () => {
  const shape = mainNavigation(site).map((entry) =>
    entry.kind === 'link' ? entry.place.label : [entry.name, ...entry.places.map((place) => place.label)],
  )
  expect(shape).toEqual(['Home', ['Events', 'Events', 'News'], ['About', 'Our Mission'], 'Clinic'])
})

test('a dropdown without members is left out', () => {
  const withoutEvents = site.filter((place) => place.nav !== 'Events')
  expect(mainNavigation(withoutEvents).map((entry) => entry.kind)).toEqual(['link', 'dropdown', 'link'])
})

test('the quick links keep the order of the footer, not of the navigation', () => {
  expect(quickLinks(site).map(({ label }) => label)).toEqual(['Home', 'About Us', 'Clinic', 'News'])
})

test('nothing leads to a page that does not exist', () => {
  const existing = pageFacts.map((page) => page.path)
  expect(places.map((place) => place.path).filter((path) => !existing.includes(path))).toEqual([])
  expect(
    Object.values(paths)
      .map((path) => path())
      .filter((path) => !existing.includes(path)),
  ).toEqual([])
})
