import { expect, test } from 'vitest'
import { matchConsoleRoute, navigationRoute } from './console-routes.ts'

test.each([
  ['/console', '', {}],
  ['/console/', '', {}],
  ['/console/members/new', 'members/new', {}],
  ['/console/members/m1/', 'members/:id', { id: 'm1' }],
  ['/console/content/news/a%2Fb%20c', 'content/:kind/:id', { kind: 'news', id: 'a/b c' }],
  ['/console/dues/100%', 'dues/:id', { id: '100%' }],
  [
    '/console/pictures/home/articles/lamp.jpg',
    'pictures/:bucket/:folder/:filename',
    { bucket: 'home', folder: 'articles', filename: 'lamp.jpg' },
  ],
])('%s opens %j with its parameters', (pathname, path, params) => {
  const match = matchConsoleRoute(pathname)
  expect(match?.route.path).toBe(path)
  expect(match?.params).toEqual(params)
})

test.each(['/console/Members', '/console/members/m1/other', '/console/nowhere', '/members', '/consoles'])(
  '%s is no console page',
  (pathname) => expect(matchConsoleRoute(pathname)).toBeNull(),
)

test.each([
  ['/console/rsvp/gala/offer', 'Events & RSVPs'],
  ['/console/check-in', 'Check-in'],
  ['/console/rsvp/gala', 'Check-in'],
  ['/console/rsvp/gala/attendees', 'Events & RSVPs'],
  ['/console/payouts', 'Payouts'],
  ['/console/approvals', 'Officers & roles'],
  ['/console', 'Home'],
])('the navigation highlights for %s: %s', (pathname, label) => {
  const match = matchConsoleRoute(pathname)
  expect(match && navigationRoute(match.route)?.entry?.label).toBe(label)
})
