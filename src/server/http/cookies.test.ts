import { describe, expect, test } from 'vitest'
import { createSecrets } from '#server/lib/secrets.ts'
import { createCookieJar } from './cookies.ts'

const NOW = Date.UTC(2030, 0, 1)
const jar = createCookieJar(createSecrets('a secret for tests, of fair length, and no other'), 'https://example.org')
const stranger = createCookieJar(createSecrets('another secret for tests, of fair length too'), 'https://example.org')

function pairOf(header: string): string {
  return header.split(';')[0] ?? ''
}

const set = jar.write('grant', 'person-1', 1_800, NOW)
const pair = pairOf(set)

describe('a cookie', () => {
  test('is hidden from scripts, other sites and plain connections, and sent to the API only', () => {
    expect(set.split('; ').slice(1)).toEqual(['Max-Age=1800', 'Path=/api', 'HttpOnly', 'SameSite=Lax', 'Secure'])
  })

  test('is sent over http if the site uses http', () => {
    const local = createCookieJar(
      createSecrets('a secret for tests, of fair length, and no other'),
      'http://localhost:3000',
    )
    expect(local.write('grant', 'person-1', 60, NOW)).not.toContain('Secure')
  })

  test('is read among others until it expires, to the millisecond', () => {
    const header = `theme=dark; ${pair}; other=1`
    expect(jar.read(header, 'grant', NOW)).toBe('person-1')
    expect(jar.read(header, 'grant', NOW + 1_800_000 - 1)).toBe('person-1')
    expect(jar.read(header, 'grant', NOW + 1_800_000)).toBeNull()
  })

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['another cookie', 'theme=dark'],
    ['without a seal', 'grant=person-1'],
    ['with another value', pair.replace('person-1', 'person-2')],
    ['with a later end', pair.replace(String(NOW + 1_800_000), String(NOW + 9_999_999_999))],
    ['under another name', pair.replace('grant=', 'checkout=')],
    ['with a character of the seal changed', pair.slice(0, -1) + (pair.endsWith('A') ? 'B' : 'A')],
    ['with the seal cut short', pair.slice(0, -5)],
    ['with more behind the seal', `${pair}x`],
    ['sealed with another secret', pairOf(stranger.write('grant', 'person-1', 1_800, NOW))],
    ['longer than any header of ours', `${pair}; padding=${'x'.repeat(9_000)}`],
    ['with three dots', 'grant=...'],
    ['with a broken encoding', 'grant=%E0%A4%A'],
  ])('%s is ignored', (_name, header) => {
    expect(jar.read(header, 'grant', NOW)).toBeNull()
    expect(jar.read(header, 'checkout', NOW)).toBeNull()
  })
})
