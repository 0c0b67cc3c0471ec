import { describe, expect, test } from 'vitest'
import { isoTimes } from './event-times.rules.ts'

const NEW_YORK = 'America/New_York'

describe('times in the association’s time zone', () => {
  test.each<[what: string, days: [string, string], hours: [string | null, string | null], [string, string | null]]>([
    [
      'winter',
      ['2026-12-12', '2026-12-12'],
      ['18:30', '23:00'],
      ['2026-12-12T18:30:00-05:00', '2026-12-12T23:00:00-05:00'],
    ],
    [
      'summer',
      ['2026-07-04', '2026-07-04'],
      ['18:30', '23:00'],
      ['2026-07-04T18:30:00-04:00', '2026-07-04T23:00:00-04:00'],
    ],
    [
      'the night clocks go forward',
      ['2026-03-07', '2026-03-08'],
      ['20:00', '10:00'],
      ['2026-03-07T20:00:00-05:00', '2026-03-08T10:00:00-04:00'],
    ],
    [
      'the night clocks go back',
      ['2026-10-31', '2026-11-01'],
      ['20:00', '10:00'],
      ['2026-10-31T20:00:00-04:00', '2026-11-01T10:00:00-05:00'],
    ],
    [
      'an hour skipped by daylight saving',
      ['2026-03-08', '2026-03-08'],
      ['02:30', '04:00'],
      ['2026-03-08T03:30:00-04:00', '2026-03-08T04:00:00-04:00'],
    ],
    [
      'an hour repeated by daylight saving',
      ['2026-11-01', '2026-11-01'],
      ['01:30', '03:00'],
      ['2026-11-01T01:30:00-04:00', '2026-11-01T03:00:00-05:00'],
    ],
    [
      'past midnight',
      ['2026-12-31', '2026-12-31'],
      ['20:00', '01:00'],
      ['2026-12-31T20:00:00-05:00', '2027-01-01T01:00:00-05:00'],
    ],
    ['no end', ['2026-12-12', '2026-12-12'], ['18:30', null], ['2026-12-12T18:30:00-05:00', null]],
    [
      'two days without an end',
      ['2026-12-12', '2026-12-13'],
      ['18:30', null],
      ['2026-12-12T18:30:00-05:00', '2026-12-14T00:00:00-05:00'],
    ],
    [
      'two days with hours',
      ['2027-02-06', '2027-02-07'],
      ['08:30', '17:00'],
      ['2027-02-06T08:30:00-05:00', '2027-02-07T17:00:00-05:00'],
    ],
    ['whole days', ['2026-12-12', '2026-12-14'], [null, null], ['2026-12-12', '2026-12-14']],
  ])('%s', (_, [startsOn, endsOn], [startsAt, endsAt], [startDate, endDate]) => {
    expect(isoTimes({ startsOn, endsOn, startsAt, endsAt }, NEW_YORK)).toEqual({ startDate, endDate })
  })

  test('are null when the date cannot be read', () => {
    const event = { startsOn: null, endsOn: null, startsAt: '18:30', endsAt: null }
    expect(isoTimes(event, NEW_YORK)).toEqual({ startDate: null, endDate: null })
  })
})
