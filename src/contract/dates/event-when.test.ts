import { describe, expect, test } from 'vitest'
import { parseEventDate } from './event-dates.ts'
import { parseHours } from './event-hours.ts'
import { formatEventTimes } from './event-when.ts'

describe('dates and times are formatted uniformly, however they were typed', () => {
  test.each<[date: string, time: string | null, shown: string, hours: string | null]>([
    ['04/17/2027 - 04/18/2027, 9 am - 4 pm', null, 'April 17-18, 2027', '9:00 AM to 4:00 PM'],
    ['2026-12-12', '18:00', 'December 12, 2026', '6:00 PM'],
    ['Sat., Dec. 12th 2026', '6-10 PM', 'December 12, 2026', '6:00 PM to 10:00 PM'],
    ['12-14 December 2026', null, 'December 12-14, 2026', null],
    ['December 12, 13 and 14, 2026', 'noon to 3 p.m.', 'December 12-14, 2026', '12:00 PM to 3:00 PM'],
    ['From December 12 through December 14, 2026', null, 'December 12-14, 2026', null],
    ['30 November–2 December 2026', 'from 8:00 AM', 'November 30 - December 2, 2026', '8:00 AM'],
    ['2026: December 30 - January 2', null, 'December 30, 2026 - January 2, 2027', null],
    ['December 12-14, 2026, 9:00 AM - 5:00 PM', null, 'December 12-14, 2026', '9:00 AM to 5:00 PM'],
    ['December 12, 2026 at 18:30', null, 'December 12, 2026', '6:30 PM'],
    ['December 12, 2026', '6:00 PM to 10:00 PM', 'December 12, 2026', '6:00 PM to 10:00 PM'],
    ['December 31, 2026', '9 PM to 1 AM', 'December 31, 2026', '9:00 PM to 1:00 AM'],
  ])('%s, %s', (date, time, shown, hours) => {
    const written = formatEventTimes({ date, time })
    expect(written).toEqual({ date: shown, time: hours })
    // The displayed text has the same meaning as the input.
    expect(parseEventDate(written.date)).toEqual(parseEventDate(date))
    expect(parseHours(written.time ?? '')).toEqual(parseHours(time ?? date))
    expect(formatEventTimes(written)).toEqual(written)
  })
})

describe('text that says more is left as typed', () => {
  test.each<[date: string, time: string | null]>([
    ['December 12, 2026, rain or shine', null],
    ['December 5 and 19, 2026', null],
    ['December 14-12, 2026', null],
    ['December 12-40, 2026', null],
    ['To be announced', null],
    ['Spring 2027', null],
    ['December 12, 6 PM - December 13, 2 AM, 2026', null],
    ['December 12-2 PM, 2026', null],
    ['2026-12-12T18:00:00Z', null],
    ['Gala on 2026-12-12, dinner at 6', null],
    ['Every Saturday in December 2026', 'Dinner at 6 PM'],
    ['May change: December 12, 2026', 'after sunset'],
    ['Room 5, December 12, 2026', '6 PM, dinner at 8 PM'],
    ['Not on December 12, 2026', '25:00'],
  ])('%s, %s', (date, time) => expect(formatEventTimes({ date, time })).toEqual({ date, time }))
})
