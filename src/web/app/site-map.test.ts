import { expect, test } from 'vitest'
import { pageData } from './page-data.ts'
import { paths } from './paths.ts'
import { USUAL_FOOTER, USUAL_MENU, withUsualEntries, type MenuEntry } from '#contract/menu.ts'
import { mainNavigation } from './site-map.ts'

const menu: MenuEntry[] = [
  { path: '/', label: 'Home', nav: 'bar' },
  { path: '/events', label: 'Events', nav: 'Events' },
  { path: '/news', label: 'News', nav: 'Events' },
  { path: '/about', label: 'Our Mission', nav: 'About' },
  { path: '/clinic', label: 'Clinic', nav: 'bar' },
]

test('a dropdown takes the position of its first page', () => {
  const shape = mainNavigation(menu).map((entry) =>
    entry.kind === 'link' ? entry.page.label : [entry.name, ...entry.pages.map((page) => page.label)],
  )
  expect(shape).toEqual(['Home', ['Events', 'Events', 'News'], ['About', 'Our Mission'], 'Clinic'])
})

test('a dropdown without pages is left out', () => {
  const withoutEvents = menu.filter((page) => page.nav !== 'Events')
  expect(mainNavigation(withoutEvents).map((entry) => entry.kind)).toEqual(['link', 'dropdown', 'link'])
})

test.each<[what: string, listed: string[], all: string[]]>([
  ['nothing is listed', [], ['a', 'b', 'c']],
  ['one is listed', ['c'], ['a', 'b', 'c']],
  ['another order', ['c', 'a'], ['c', 'a', 'b']],
  ['others are listed', ['x'], ['a', 'b', 'c', 'x']],
  ['all are listed', ['b', 'x', 'c', 'a'], ['b', 'x', 'c', 'a']],
])('what a list does not name stands where it usually does: %s', (_what, listed, all) => {
  expect(withUsualEntries(listed, ['a', 'b', 'c'], (one) => one)).toEqual(all)
})

test('no link leads to a page that does not exist', () => {
  const existing = pageData.map((page) => page.path)
  expect([...USUAL_MENU, ...USUAL_FOOTER].map((page) => page.path).filter((path) => !existing.includes(path))).toEqual(
    [],
  )
  expect(
    Object.values(paths)
      .map((path) => path())
      .filter((path) => !existing.includes(path)),
  ).toEqual([])
})
