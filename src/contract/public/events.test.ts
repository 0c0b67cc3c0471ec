import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '../dates/days.ts'
import { parseEventDate } from '../dates/event-dates.ts'
import { carouselEvents, firstUpcoming, happeningNow, pastEvents, recentPast, upcomingEvents } from './event-lists.ts'
import { isHappeningNow, isUpcoming, isUpcomingInCarousel } from './events.ts'

function eventOn(date: string, id = date) {
  const { startsOn = null, endsOn = null } = parseEventDate(date) ?? {}
  return { id, date, startsOn, endsOn }
}

describe('the rules of the tabs, the carousel and the line above the tabs', () => {
  test.each<[date: string, today: string, tab: boolean, carousel: boolean, now: boolean]>([
    ['December 12, 2026', '2026-12-11', true, true, false],
    ['December 12, 2026', '2026-12-12', true, true, true],
    ['December 12, 2026', '2026-12-13', false, true, false],
    ['December 12, 2026', '2026-12-31', false, true, false],
    ['December 12, 2026', '2027-01-01', false, false, false],
    ['November 30, 2026', '2026-12-01', false, false, false],
    ['January 5, 2027', '2026-12-31', true, true, false],
    ['December 12-14, 2026', '2026-12-12', true, true, true],
    ['December 12-14, 2026', '2026-12-13', false, true, true],
    ['December 12-14, 2026', '2026-12-14', false, true, true],
    ['December 12-14, 2026', '2026-12-15', false, true, false],
    ['December 30, 2026 - January 2, 2027', '2027-01-01', false, false, true],
    ['December 30 - January 2, 2027', '2026-12-29', true, true, false],
    ['February 29, 2028', '2028-02-29', true, true, true],
    ['2026-12-12', '2026-12-12', true, true, true],
    ['December 2026', '2026-12-31', false, true, false],
    ['December 2026', '2027-01-01', false, false, false],
    ['Spring 2027', '2026-12-31', false, true, false],
    ['Spring 2027', '2027-01-01', false, false, false],
    ['To be announced', '2026-12-12', false, false, false],
    ['December 12', '2026-12-12', false, false, false],
  ])('%j on %s: upcoming %s, in the carousel %s, now %s', (date, today, tab, carousel, now) => {
    const event = eventOn(date)
    expect(isUpcoming(event, today)).toBe(tab)
    expect(isUpcomingInCarousel(event, today)).toBe(carousel)
    expect(isHappeningNow(event, today)).toBe(now)
  })
})

const today = '2026-11-21'
const events = [
  'To be announced',
  'December 12, 2026',
  'October 3, 2026',
  'November 20-22, 2026',
  'November 8, 2026',
  'November 21, 2026',
  'March 14, 2025',
  'January 9, 2027',
].map((date) => eventOn(date))
const dates = (list: { date: string }[]) => list.map(({ date }) => date)

test('upcoming events are sorted soonest first', () => {
  expect(dates(upcomingEvents(events, today))).toEqual(['November 21, 2026', 'December 12, 2026', 'January 9, 2027'])
  expect(dates(firstUpcoming(events, today, 2))).toEqual(['November 21, 2026', 'December 12, 2026'])
})

test('past events are sorted latest first, with unreadable dates at the end', () => {
  expect(dates(pastEvents(events, today))).toEqual([
    'November 20-22, 2026',
    'November 8, 2026',
    'October 3, 2026',
    'March 14, 2025',
    'To be announced',
  ])
  expect(dates(recentPast(events, today, 3))).toEqual(['November 20-22, 2026', 'November 8, 2026', 'October 3, 2026'])
})

test('an event on its second day is past and happening now', () => {
  expect(dates(happeningNow(events, today))).toEqual(['November 20-22, 2026', 'November 21, 2026'])
})

test('the carousel shows upcoming events, then the rest of the month, and past events only as filler', () => {
  expect(dates(carouselEvents(events, today, 6))).toEqual([
    'November 21, 2026',
    'December 12, 2026',
    'January 9, 2027',
    'November 20-22, 2026',
    'November 8, 2026',
    'October 3, 2026',
  ])
  expect(dates(carouselEvents(events, today, 2))).toEqual(['November 21, 2026', 'December 12, 2026'])
  expect(carouselEvents([], today)).toEqual([])
})

test('every event is in exactly one tab', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -900, max: 900 }), { maxLength: 30 }), (distances) => {
      const all = distances.map((days, index) => eventOn(addDays(today, days), `event-${index}`))
      const upcoming = upcomingEvents(all, today)
      const past = pastEvents(all, today)
      expect(upcoming.length + past.length).toBe(all.length)
      expect(new Set([...upcoming, ...past]).size).toBe(all.length)
      for (const event of upcoming) expect(isUpcomingInCarousel(event, today)).toBe(true)
      const labels = carouselEvents(all, today).map((event) => isUpcomingInCarousel(event, today))
      expect(labels).toEqual(labels.toSorted((a, b) => Number(b) - Number(a)))
    }),
  )
})
