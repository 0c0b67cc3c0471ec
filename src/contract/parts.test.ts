import { expect, test } from 'vitest'
import { isOff, PARTS } from './parts.ts'

test.each([
  ['/clinic', 'clinic'],
  ['/clinic?x=1', 'clinic'],
  ['/events', 'events'],
  ['/events/gala', 'events'],
  ['/events/gala.ics', 'events'],
  ['/events.ics', 'events'],
  ['/newsletter', 'newsletter'],
  ['/newsletter.rss', 'newsletter'],
  ['/newsletter/subscribe', 'newsletter'],
  ['/sponsor-us', 'sponsors'],
  ['/students-residents', 'forum'],
  ['/scholarships-awards#how', 'scholarships'],
] as const)('%s belongs to %s', (path, part) => {
  expect(PARTS.filter((one) => isOff(path, [one]))).toEqual([part])
})

test.each([
  '/newsletter/unsubscribe',
  '/newsletter/confirm',
  '/newsletter/unsubscribed',
  '/sponsor/success',
  '/sponsor/cancel',
  '/rsvp',
  '/eventsx',
  '/clinics',
  '/',
])('%s is there whatever is off', (path) => {
  expect(isOff(path, PARTS)).toBe(false)
})
