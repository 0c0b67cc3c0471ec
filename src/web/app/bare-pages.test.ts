import { expect, test } from 'vitest'
import { isBarePage } from './bare-pages.ts'

test.each([
  ['/console', true],
  ['/console/members', true],
  ['/Console/', true],
  ['/auth/account/card', true],
  ['/auth/account', false],
  ['/consoles', false],
  ['/card', false],
  ['/', false],
])('%s is a bare page: %s', (pathname, isBare) => {
  expect(isBarePage(pathname)).toBe(isBare)
})
