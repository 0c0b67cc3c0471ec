import { expect, test } from 'vitest'
import { isInConsole } from './paths.ts'

test.each([
  ['/console', true],
  ['/console/', true],
  ['/console/members/m1', true],
  ['/console-help', false],
  ['/consoles', false],
  ['/', false],
])('%s is in the console: %s', (pathname, isIn) => {
  expect(isInConsole(pathname)).toBe(isIn)
})
