import { describe, expect, test } from 'vitest'
import { nextPath } from './next-path.rules.ts'

describe('a path on this site is used', () => {
  test.each([
    ['/auth/account', '/auth/account'],
    ['/become-a-member?level=life#plans', '/become-a-member?level=life#plans'],
    ['/', '/'],
    ['/a//b', '/a//b'],
    ['/search?q=//x', '/search?q=//x'],
  ])('%s', (asked, expected) => expect(nextPath(asked)).toBe(expected))
})

describe('everything else leads to the home page', () => {
  test.each([
    null,
    '',
    'account',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '\t//evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/./\\evil.example',
    'https://evil.example',
    'https:/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '@evil.example',
    '.evil.example',
    '/\u0000',
  ])('%j', (asked) => expect(nextPath(asked)).toBe('/'))
})
