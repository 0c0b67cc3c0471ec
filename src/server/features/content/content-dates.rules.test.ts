import { expect, test } from 'vitest'
import type { ContentEvent, ContentNewsItem } from '#server/features/content-store/content.schema.ts'
import { eventToFile, eventFromFile, newsItemFromFile } from './content-dates.rules.ts'

const TODAY = '2026-11-21'

const event: ContentEvent = {
  id: 'gala',
  title: 'Gala',
  description: 'Dinner.',
  days: 1,
  location: 'Duluth',
  imageKey: 'hero-gala',
  detailsLink: '/events',
  body: '',
}

const item: ContentNewsItem = {
  id: 'chair',
  title: 'A chair',
  excerpt: 'Blue.',
  content: 'It is blue.',
  category: 'announcement',
  author: 'Free Clinic Committee',
  imageKey: 'clinic',
}

test.each<[Partial<ContentEvent>, date: string, startsOn: string, endsOn: string]>([
  [{ in: '0 days' }, 'November 21, 2026', '2026-11-21', '2026-11-21'],
  [{ in: '1 days', weekday: 'saturday' }, 'November 28, 2026', '2026-11-28', '2026-11-28'],
  [{ in: '0 days', weekday: 'saturday' }, 'November 21, 2026', '2026-11-21', '2026-11-21'],
  [{ in: '-7 days' }, 'November 14, 2026', '2026-11-14', '2026-11-14'],
  [{ in: '9 days', days: 3 }, 'November 30 - December 2, 2026', '2026-11-30', '2026-12-02'],
  [{ in: '40 days', days: 2 }, 'December 31, 2026 - January 1, 2027', '2026-12-31', '2027-01-01'],
  [{ date: 'Dec. 12–14, 2026' }, 'Dec. 12–14, 2026', '2026-12-12', '2026-12-14'],
])('%j is on %j', (over, date, startsOn, endsOn) => {
  expect(eventFromFile({ ...event, ...over }, TODAY)).toMatchObject({ date, startsOn, endsOn })
})

test('hours come from the time, or else from the date', () => {
  const date = 'December 12, 2026, 6 PM - 10 PM'
  expect(eventFromFile({ ...event, date }, TODAY)).toMatchObject({ time: null, startsAt: '18:00', endsAt: '22:00' })
  expect(eventFromFile({ ...event, date, time: '7 PM' }, TODAY)).toMatchObject({ startsAt: '19:00', endsAt: null })
})

test('a date that cannot be parsed is stored as written', () => {
  const stored = eventFromFile({ ...event, date: 'To be announced' }, TODAY)
  expect(stored).toMatchObject({ date: 'To be announced', startsOn: null, endsOn: null })
})

test('an exported event imports unchanged on any day', () => {
  const stored = eventFromFile({ ...event, in: '40 days', days: 2, time: '6-10 PM', address: '1 Oak Drive' }, TODAY)
  expect(eventFromFile(eventToFile(stored), '2031-05-06')).toEqual(stored)
})

test('a news item has a date or a number of days from today', () => {
  expect(newsItemFromFile({ ...item, date: '2026-11-02' }, TODAY).date).toBe('2026-11-02')
  expect(newsItemFromFile({ ...item, in: '-30 days' }, TODAY).date).toBe('2026-10-22')
})
