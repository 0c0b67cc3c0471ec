import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, formatDayRange } from './days.ts'
import { parseEventDate } from './event-dates.ts'

/** The easternmost zone, a far western one, and the association's own. */
const ZONES = ['Pacific/Kiritimati', 'Pacific/Honolulu', 'America/New_York']

const ONE_DAY: [text: string, day: string][] = [
  ['December 12, 2026', '2026-12-12'],
  ['Dec 12, 2026', '2026-12-12'],
  ['Dec. 12, 2026', '2026-12-12'],
  ['DECEMBER 12 2026', '2026-12-12'],
  ['Sept. 5, 2026', '2026-09-05'],
  ['Sept 5, 2026', '2026-09-05'],
  ['May 3, 2026', '2026-05-03'],
  ['December 12th, 2026', '2026-12-12'],
  ['the 12th of December, 2026', '2026-12-12'],
  ['12 December 2026', '2026-12-12'],
  ['12-Dec-2026', '2026-12-12'],
  ['2026 December 12', '2026-12-12'],
  ['Saturday, December 12, 2026', '2026-12-12'],
  ['Sat., Dec. 12, 2026', '2026-12-12'],
  ['  December\u00a012,\n2026 ', '2026-12-12'],
  ['2026-12-12', '2026-12-12'],
  ['2026-12-12T18:00:00Z', '2026-12-12'],
  ['2026-12-12 6:00 PM', '2026-12-12'],
  ['Gala on 2026-12-12, dinner at 6', '2026-12-12'],
  ['12/5/2026', '2026-12-05'],
  ['12/05/26', '2026-12-05'],
  ['January 1, 2027', '2027-01-01'],
  ['December 31, 2026', '2026-12-31'],
  ['February 29, 2028', '2028-02-29'],
  ['2028-02-29', '2028-02-29'],
  ['February 29, 2000', '2000-02-29'],
  ['December 12, 2026, 6:00 PM', '2026-12-12'],
  ['December 12, 2026 at 18:30', '2026-12-12'],
  ['December 12, 2026, 6:00 PM - 10:00 PM', '2026-12-12'],
  ['December 12, 2026 6-10 PM', '2026-12-12'],
  ['6-10 PM, December 12, 2026', '2026-12-12'],
  ['December 12, 6 p.m. to 10 p.m., 2026', '2026-12-12'],
  ['December 12-2 PM, 2026', '2026-12-12'],
  ['December 12, 2026, noon - midnight', '2026-12-12'],
  ['Room 5, December 12, 2026', '2026-12-12'],
  ['A 5k walk on May 3, 2026', '2026-05-03'],
  ['May change: December 12, 2026', '2026-12-12'],
  ['March of lamps, December 12, 2026', '2026-12-12'],
  ['Post-Thanksgiving brunch, November 28, 2026', '2026-11-28'],
  ['December 5 and 19, 2026', '2026-12-05'],
  ['December 14-12, 2026', '2026-12-14'],
  ['December 12-40, 2026', '2026-12-12'],
]

const RANGES: [text: string, first: string, last: string][] = [
  ['December 12-14, 2026', '2026-12-12', '2026-12-14'],
  ['December 12 - 14, 2026', '2026-12-12', '2026-12-14'],
  ['December 12–14, 2026', '2026-12-12', '2026-12-14'],
  ['December 12 — 14, 2026', '2026-12-12', '2026-12-14'],
  ['December 12\u221214, 2026', '2026-12-12', '2026-12-14'],
  ['December 12-14 2026', '2026-12-12', '2026-12-14'],
  ['December 12th–14th, 2026', '2026-12-12', '2026-12-14'],
  ['December 12 to 14, 2026', '2026-12-12', '2026-12-14'],
  ['From December 12 through December 14, 2026', '2026-12-12', '2026-12-14'],
  ['12-14 December 2026', '2026-12-12', '2026-12-14'],
  ['12 December - 14 December 2026', '2026-12-12', '2026-12-14'],
  ['Dec 12-Dec 14, 2026', '2026-12-12', '2026-12-14'],
  ['December 12, 2026 - December 14, 2026', '2026-12-12', '2026-12-14'],
  ['November 30 - December 2, 2026', '2026-11-30', '2026-12-02'],
  ['30 November–2 December 2026', '2026-11-30', '2026-12-02'],
  ['December 30, 2026 - January 2, 2027', '2026-12-30', '2027-01-02'],
  ['December 30 - January 2, 2027', '2026-12-30', '2027-01-02'],
  ['December 30, 2026 – January 2', '2026-12-30', '2027-01-02'],
  ['2026: December 30 - January 2', '2026-12-30', '2027-01-02'],
  ['February 28 - March 1, 2028', '2028-02-28', '2028-03-01'],
  ['February 27-29, 2028', '2028-02-27', '2028-02-29'],
  ['Friday-Sunday, December 11-13, 2026', '2026-12-11', '2026-12-13'],
  ['Fri., Dec. 11 – Sun., Dec. 13, 2026', '2026-12-11', '2026-12-13'],
  ['December 12-14, 2026, 9:00 AM - 5:00 PM', '2026-12-12', '2026-12-14'],
  ['December 12, 6 PM - December 13, 2 AM, 2026', '2026-12-12', '2026-12-13'],
  ['December 12 and 13, 2026', '2026-12-12', '2026-12-13'],
  ['December 12 & 13, 2026', '2026-12-12', '2026-12-13'],
  ['December 12, 13 and 14, 2026', '2026-12-12', '2026-12-14'],
  ['December 31, 2026 and January 1, 2027', '2026-12-31', '2027-01-01'],
  ['2026-12-12 - 2026-12-14', '2026-12-12', '2026-12-14'],
  ['2026-12-12/2026-12-14', '2026-12-12', '2026-12-14'],
  ['2026-12-12 18:00 to 2026-12-14 12:00', '2026-12-12', '2026-12-14'],
  ['12/12/2026 - 12/14/2026', '2026-12-12', '2026-12-14'],
]

const UNREADABLE = [
  '',
  '   ',
  '-',
  'To be announced',
  'TBA',
  'Coming soon - stay tuned',
  'Every first and third Saturday',
  'Spring 2027',
  'December 2026',
  '2026',
  'December',
  'December 12',
  'December 12-14',
  'December 12, 6:00 PM - 10:00 PM',
  'Saturday at 6 PM',
  'February 29, 2027',
  'February 30, 2028',
  'April 31, 2026',
  'December 0, 2026',
  'December 32, 2026',
  '2026-02-30',
  '2026-13-01',
  '0000-00-00',
  '13/13/2026',
  '12.12.2026',
  'Smarch 13, 2026',
  'Decembr 12, 2026',
  'December twelfth, 2026',
  'December 12, 20266',
  '404-555-0100',
  'null',
  '🎉 12 2026',
]

describe.each(ZONES)('on a machine in %s', (zone) => {
  const before = process.env['TZ']
  beforeAll(() => {
    process.env['TZ'] = zone
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
  })
  afterAll(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })

  test.each(ONE_DAY)('%j is %s', (text, day) => {
    expect(parseEventDate(text)).toEqual({ startsOn: day, endsOn: day })
  })

  test.each(RANGES)('%j is %s to %s', (text, startsOn, endsOn) => {
    expect(parseEventDate(text)).toEqual({ startsOn, endsOn })
  })

  test.each(UNREADABLE)('%j is not a date', (text) => {
    expect(parseEventDate(text)).toBeNull()
  })

  test('a formatted range is parsed back to its days', () => {
    fc.assert(
      fc.property(anyDay, fc.nat(400), (startsOn, length) => {
        const span = { startsOn, endsOn: addDays(startsOn, length) }
        expect(parseEventDate(formatDayRange(span))).toEqual(span)
        expect(parseEventDate(formatDayRange(span).replaceAll('-', '–'))).toEqual(span)
      }),
    )
  })
})

const anyDay = fc
  .date({ min: new Date('1987-01-01'), max: new Date('2098-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test('any text gives null or existing days in order', () => {
  const text = fc.constantFrom(
    'December',
    'may',
    'feb',
    '29',
    '31',
    '2026',
    '2027-02-30',
    '-',
    '–',
    'to',
    'and',
    ',',
    '6 PM',
    '/',
    '12:30',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(text, { maxLength: 9 }).map((parts) => parts.join(' ')),
      ),
      (text) => {
        const span = parseEventDate(text)
        if (!span) return
        expect(addDays(span.startsOn, 0)).toBe(span.startsOn)
        expect(addDays(span.endsOn, 0)).toBe(span.endsOn)
        expect(span.startsOn <= span.endsOn).toBe(true)
      },
    ),
    { numRuns: 2000 },
  )
})

test('a page pasted into the date is rejected quickly', () => {
  const start = performance.now()
  expect(parseEventDate('1-'.repeat(100_000))).toBeNull()
  expect(performance.now() - start).toBeLessThan(100)
})
