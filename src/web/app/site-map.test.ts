import { expect, test } from 'vitest'
import { pageData } from './page-data.ts'
import { paths } from './paths.ts'
import { mainNavigation, navigationPages, quickLinks, type NavigationPage } from './site-map.ts'

const site: NavigationPage[] = [
  { path: '/', label: 'Home', nav: 'bar' },
  { path: '/events', label: 'Events', nav: 'Events' },
  { path: '/news', label: 'News', nav: 'Events' },
  { path: '/about', label: 'Our Mission', nav: 'About' },
  { path: '/clinic', label: 'Clinic', nav: 'bar' },
]

test('a dropdown takes the position of its first page', () => {
  const shape = mainNavigation({ committeesTerm: null }, site).map((entry) =>
    entry.kind === 'link' ? entry.page.label : [entry.name, ...entry.pages.map((page) => page.label)],
  )
  expect(shape).toEqual(['Home', ['Events', 'Events', 'News'], ['About', 'Our Mission'], 'Clinic'])
})

test('a dropdown without pages is left out', () => {
  const withoutEvents = site.filter((page) => page.nav !== 'Events')
  expect(mainNavigation({ committeesTerm: null }, withoutEvents).map((entry) => entry.kind)).toEqual([
    'link',
    'dropdown',
    'link',
  ])
})

test.each([
  ['2024-25', 'Committees 2024-2025'],
  ['2026-27', 'Committees 2026-2027'],
  ['1999-00', 'Committees 1999-2000'],
  ['2026', 'Committees 2026'],
  ['2026-28', 'Committees 2026-28'],
  [null, 'Committees'],
])('the menu shows the committees’ term: %s', (term, label) => {
  const about = mainNavigation({ committeesTerm: term }).find(
    (entry) => entry.kind === 'dropdown' && entry.name === 'About',
  )
  const labels = about?.kind === 'dropdown' ? about.pages.map((page) => page.label) : []
  expect(labels.filter((one) => one.startsWith('Committees'))).toEqual([label])
})

test('pages that officers added follow the others of their dropdown', () => {
  const addedMenu = [
    { path: '/volunteer', label: 'Volunteer', nav: 'About' as const },
    { path: '/carpool', label: 'Carpool', nav: 'Events' as const },
  ]
  const shape = mainNavigation({ committeesTerm: null, addedMenu }, site).map((entry) =>
    entry.kind === 'link' ? entry.page.label : [entry.name, ...entry.pages.map((page) => page.label)],
  )
  expect(shape).toEqual([
    'Home',
    ['Events', 'Events', 'News', 'Carpool'],
    ['About', 'Our Mission', 'Volunteer'],
    'Clinic',
  ])
})

test('no link leads to a page that does not exist', () => {
  const existing = pageData.map((page) => page.path)
  expect(
    [...navigationPages, ...quickLinks()].map((page) => page.path).filter((path) => !existing.includes(path)),
  ).toEqual([])
  expect(
    Object.values(paths)
      .map((path) => path())
      .filter((path) => !existing.includes(path)),
  ).toEqual([])
})
