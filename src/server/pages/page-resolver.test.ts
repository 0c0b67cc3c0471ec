import { describe, expect, test } from 'vitest'
import { createPageResolver, createNotFoundResolver } from './page-resolver.ts'

const resolve = createPageResolver([
  { metadata: { path: '/', indexed: true }, routeId: 'pages/home' },
  { metadata: { path: '/become-a-member', indexed: true }, routeId: 'pages/become-a-member' },
  {
    metadata: { path: '/reset-password', indexed: false, queryParameters: { token: 'present', userId: 'present' } },
    routeId: 'pages/reset-password',
  },
  {
    metadata: { path: '/news', indexed: true, queryParameters: { category: ['news', 'other'] } },
    routeId: 'pages/news',
  },
  {
    metadata: {
      path: '/stripe/success',
      indexed: false,
      queryParameters: { free: ['1'], session_id: 'present', nonce: 'present' },
    },
    routeId: 'pages/stripe-success',
  },
])

function keyOf(target: string): string {
  const resolved = resolve(target)
  return resolved.kind === 'page' ? resolved.address.key : resolved.kind
}

test.each([
  ['/', '/'],
  ['/?utm_source=mail', '/'],
  ['/become-a-member?next=/auth/account', '/become-a-member'],
  ['/reset-password?token=abc', '/reset-password?token=present'],
  ['/reset-password?token=', '/reset-password'],
  ['/reset-password?userId=7&x=1&token=abc', '/reset-password?token=present&userId=present'],
  ['/reset-password?token=other&userId=8', '/reset-password?token=present&userId=present'],
  ['/news?category=news', '/news?category=news'],
  ['/news?category=gossip', '/news?category=other'],
  ['/stripe/success?free=1', '/stripe/success?free=1'],
  ['/stripe/success?free=2', '/stripe/success'],
  ['/stripe/success?nonce=n&session_id=s', '/stripe/success?session_id=present&nonce=present'],
  ['/_.data', '/_.data'],
  ['/_.data?_routes=pages%2Fhome', '/_.data?_routes=pages%2Fhome'],
  ['/_.data?_routes=root', '/_.data'],
  ['/_.data?_routes=pages%2Fhome,root', '/_.data'],
  [
    '/reset-password.data?token=a&_routes=pages/reset-password&x=1',
    '/reset-password.data?token=present&_routes=pages%2Freset-password',
  ],
  ['http://elsewhere.example/become-a-member?x=1', '/become-a-member'],
  ['http://elsewhere.example', '/'],
])('%s has the key %s', (target, key) => {
  expect(keyOf(target)).toBe(key)
})

test.each([
  ['/Become-A-Member', '/become-a-member'],
  ['/become-a-member/', '/become-a-member'],
  ['//become-a-member//?level=life', '/become-a-member?level=life'],
  ['/%62ecome-a-member', '/become-a-member'],
  ['/Stripe//Success/?session_id=a&nonce=b', '/stripe/success?session_id=a&nonce=b'],
  ['//', '/'],
  ['/Become-a-member?q=\u00e9', '/become-a-member?q=%C3%A9'],
])('%s redirects to %s', (target, location) => {
  expect(resolve(target)).toEqual({ kind: 'moved', location })
})

test.each([
  '/nowhere',
  '/become-a-member/more',
  '/nowhere.data',
  '.data',
  '/.data',
  '//evil.example',
  '//evil.example/become-a-member',
  '/\\evil.example',
  '/%',
  '/%2e%2e/become-a-member/x',
  '*',
])('%s is unknown', (target) => {
  expect(resolve(target).kind).toBe('unknown')
})

test.each([
  ['/events/none', '/events/*'],
  ['/Events/None/', '/events/*'],
  ['/events/none/more', '/*'],
  ['/somewhere', '/*'],
  ['/', '/*'],
])('the 404 page for %s is rendered for %s', (path, key) => {
  const notFoundKey = createNotFoundResolver([
    { metadata: { path: '/events', indexed: true }, routeId: 'pages/events' },
    { metadata: { path: '/events/:id', indexed: true }, routeId: 'pages/event' },
  ])
  expect(notFoundKey(path)).toBe(key)
})

describe('pages at the top level', () => {
  const pages = [
    { metadata: { path: '/:address', indexed: true }, routeId: 'pages/added' },
    { metadata: { path: '/events', indexed: true }, routeId: 'pages/events' },
    { metadata: { path: '/events/:id', indexed: true }, routeId: 'pages/event' },
  ]
  const resolveAdded = createPageResolver(
    pages,
    () => new Set(['/volunteer', '/events/gala', '/events']),
    () =>
      new Map([
        ['/help', '/volunteer'],
        ['/events', '/volunteer'],
      ]),
  )
  const routeAt = (target: string) => {
    const found = resolveAdded(target)
    return found.kind === 'page' ? found.address.page.routeId : found
  }

  test('come after all other pages', () => {
    expect(routeAt('/volunteer')).toBe('pages/added')
    expect(routeAt('/volunteer.data')).toBe('pages/added')
    expect(routeAt('/events/gala')).toBe('pages/event')
    expect(routeAt('/events')).toBe('pages/events')
    expect(routeAt('/none')).toEqual({ kind: 'unknown' })
  })

  test('are found at their former addresses, in any spelling', () => {
    expect(routeAt('/help')).toEqual({ kind: 'moved', location: '/volunteer' })
    expect(routeAt('/Help/?from=email')).toEqual({ kind: 'moved', location: '/volunteer?from=email' })
  })

  test.each([
    ['/none', '/*'],
    ['/none/more', '/*/*'],
    ['/events/none', '/events/*'],
  ])('the 404 page for %s is rendered for %s, which matches the same route', (path, key) => {
    expect(createNotFoundResolver(pages)(path)).toBe(key)
  })
})
