import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createCookieJar } from './cookies.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { createClosedSite } from './closed-site.ts'
import { prepareResponse } from '#server/pages/prepared-response.ts'

const NOW = Date.parse('2026-12-01T12:00:00Z')
const cookies = createCookieJar(
  createSecrets('a secret for tests, and for tests only, of fair length'),
  'https://x.org',
)
const cookie = cookies.write('setup', 'secret', 60, NOW).split(';')[0]
const closed = prepareResponse({
  status: 503,
  contentType: 'text/html',
  body: Buffer.from('This site is being set up'),
  headers: [],
  compressible: false,
})

/** What a request gets: 'as usual', 'not found' or 'closed'. */
function answerTo(url: string, { isOpen = false, cookie: sent = '' } = {}): string {
  let result = 'as usual'
  const site = createClosedSite({
    opening: { isOpen: () => isOpen, isCode: (code) => code === 'right' },
    cookies,
    clock: { now: () => NOW },
    closedPage: () => closed,
    sendNotFound: () => void (result = 'not found'),
  })
  const request = { url, method: 'GET', headers: { cookie: sent } } as IncomingMessage
  const response = { writeHead: () => response, end: () => void (result = 'closed') } as unknown as ServerResponse
  return site.answer(request, response) ? result : 'as usual'
}

describe('a site that is not open', () => {
  test.each([
    ['/', 'closed'],
    ['/become-a-member', 'closed'],
    ['/events.rss', 'closed'],
    ['/sitemap.xml', 'closed'],
    ['/documents/bylaws.pdf', 'closed'],
    ['/consolex', 'closed'],
    ['/setup/more', 'closed'],
    ['/setup', 'not found'],
    ['/setup?code=wrong', 'not found'],
    ['/setup?code=right', 'as usual'],
    ['/auth/login', 'as usual'],
    ['/console', 'as usual'],
    ['/console/setup?step=mail', 'as usual'],
    ['/reset-password?token=x', 'as usual'],
    ['/assets/root.js', 'as usual'],
    ['/favicon.svg', 'as usual'],
    ['/readyz', 'as usual'],
    ['/api/levels', 'as usual'],
  ])('%s: %s', (url, expected) => {
    expect(answerTo(url)).toBe(expected)
  })

  test('is shown to a browser with the cookie, and to no forged or expired one', () => {
    expect(answerTo('/', { cookie: cookie ?? '' })).toBe('as usual')
    expect(answerTo('/setup', { cookie: cookie ?? '' })).toBe('as usual')
    expect(answerTo('/', { cookie: `${cookie}x` })).toBe('closed')
    expect(answerTo('/', { cookie: cookies.write('setup', 'secret', 60, NOW - 61_000).split(';')[0] ?? '' })).toBe(
      'closed',
    )
  })
})

test('once it is open, only the set-up page is gone, also for its code and its cookie', () => {
  expect(answerTo('/', { isOpen: true })).toBe('as usual')
  expect(answerTo('/setup?code=right', { isOpen: true, cookie: cookie ?? '' })).toBe('not found')
  expect(answerTo('/setup.data', { isOpen: true })).toBe('not found')
})
