import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AssociationEvent } from '#contract/public/events.ts'
import { formatCalendar, escapeCalendarText } from './calendar-text.rules.ts'
import { writeCalendar } from './event-calendar.rules.ts'

const options = {
  name: 'Georgia Physicians, Indian Origin',
  siteUrl: 'https://www.example.org',
  timeZone: 'America/New_York',
  today: '2026-11-21',
}

const gala: AssociationEvent = {
  id: 'gala',
  title: 'Gala; oaks, lamps',
  description: 'Dinner\nand dancing.',
  date: 'December 12, 2026',
  time: '6:30 PM to 11:00 PM',
  location: 'Grand Magnolia Hall, Duluth',
  address: null,
  imageKey: 'hero-gala',
  detailsLink: '/events',
  startsOn: '2026-12-12',
  endsOn: '2026-12-12',
  startsAt: '18:30',
  endsAt: '23:00',
}

function valuesOf(event: Partial<AssociationEvent>): Map<string, string> {
  const lines = unfold(writeCalendar([{ ...gala, ...event }], options))
  const start = lines.indexOf('BEGIN:VEVENT')
  return new Map(
    lines.slice(start).map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
}

function unfold(text: string): string[] {
  return text.replaceAll('\r\n ', '').split('\r\n')
}

test('an event has a stable UID, escaped text and UTC times', () => {
  expect(unfold(writeCalendar([gala], options))).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Georgia Physicians\\, Indian Origin//Events//EN',
    'CALSCALE:GREGORIAN',
    'NAME:Georgia Physicians\\, Indian Origin',
    'X-WR-CALNAME:Georgia Physicians\\, Indian Origin',
    'X-WR-TIMEZONE:America/New_York',
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    'X-PUBLISHED-TTL:PT12H',
    'BEGIN:VEVENT',
    'UID:gala@www.example.org',
    'DTSTAMP:20261121T050000Z',
    'DTSTART:20261212T233000Z',
    'DTEND:20261213T040000Z',
    'SUMMARY:Gala\\; oaks\\, lamps',
    'DESCRIPTION:Dinner\\nand dancing.\\n\\nhttps://www.example.org/events/gala',
    'LOCATION:Grand Magnolia Hall\\, Duluth',
    'URL:https://www.example.org/events/gala',
    'STATUS:CONFIRMED',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

describe('days and hours', () => {
  test('whole days end on the day after the last', () => {
    const values = valuesOf({ startsOn: '2026-12-30', endsOn: '2026-12-31', startsAt: null, endsAt: null })
    expect(values.get('DTSTART;VALUE=DATE')).toBe('20261230')
    expect(values.get('DTEND;VALUE=DATE')).toBe('20270101')
  })

  test.each([
    ['summer time', '2026-07-04', '2026-07-04', '18:30', '23:00', '20260704T223000Z', '20260705T030000Z'],
    [
      'over the night clocks go forward',
      '2026-03-07',
      '2026-03-08',
      '20:00',
      '10:00',
      '20260308T010000Z',
      '20260308T140000Z',
    ],
    [
      'over the night clocks go back',
      '2026-10-31',
      '2026-11-01',
      '20:00',
      '10:00',
      '20261101T000000Z',
      '20261101T150000Z',
    ],
    [
      'from the first morning to the last evening',
      '2027-02-06',
      '2027-02-07',
      '08:30',
      '17:00',
      '20270206T133000Z',
      '20270207T220000Z',
    ],
  ])('%s', (_, startsOn, endsOn, startsAt, endsAt, start, end) => {
    const values = valuesOf({ startsOn, endsOn, startsAt, endsAt })
    expect(values.get('DTSTART')).toBe(start)
    expect(values.get('DTEND')).toBe(end)
  })

  test('an event without an end time has no DTEND', () => {
    expect(valuesOf({ endsAt: null }).has('DTEND')).toBe(false)
  })

  test('an event with an unreadable date is left out', () => {
    expect(writeCalendar([{ ...gala, startsOn: null, endsOn: null }], options)).not.toContain('VEVENT')
  })
})

describe('lines', () => {
  test('a location includes its address', () => {
    expect(valuesOf({ address: '1 Oak Drive' }).get('LOCATION')).toBe('Grand Magnolia Hall\\, Duluth\\, 1 Oak Drive')
  })

  test('have at most 75 octets, split no character, and unfold to the original', () => {
    // U+FFFD, which a split character would leave behind, must not be in the original.
    const texts = fc.string({ unit: 'grapheme', maxLength: 400 }).filter((text) => !text.includes('\uFFFD'))
    fc.assert(
      fc.property(texts, (text) => {
        const value = escapeCalendarText(text)
        const folded = formatCalendar([['SUMMARY', value]])
        expect(folded.endsWith('\r\n')).toBe(true)
        for (const line of folded.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
          expect(line).not.toContain('\uFFFD')
          expect(line).not.toMatch(/[\r\n]/)
        }
        expect(unfold(folded)[0]).toBe(`SUMMARY:${value}`)
      }),
    )
  })

  test.each([
    ['a\\b', String.raw`a\\b`],
    ['a;b,c', String.raw`a\;b\,c`],
    ['a\r\nb\rc\nd', String.raw`a\nb\nc\nd`],
    ['a\u0000b\tc', 'a b c'],
    ['BEGIN:VEVENT\nEND:VCALENDAR', String.raw`BEGIN:VEVENT\nEND:VCALENDAR`],
  ])('%j is written %j', (text, written) => {
    expect(escapeCalendarText(text)).toBe(written)
  })
})

test('a canceled event has the status CANCELLED', () => {
  expect(valuesOf({ calledOff: 'The hall has flooded.' }).get('STATUS')).toBe('CANCELLED')
})
