import { describe, expect, test } from 'vitest'
import { BY_HAND, addInterval, type MembershipSnapshot } from '../membership.rules.ts'
import {
  daysBetween,
  dueReminder,
  reminderTermStart,
  stillApplies,
  type DueReminder,
  type ReminderKind,
} from './reminder.rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const GRACE = 14 * DAY
const timeZone = 'America/New_York'
const END = Date.parse('2027-03-02T15:00:00Z')

type Snapshot = MembershipSnapshot & { termStartsAt: number }

const yearly: Snapshot = {
  kind: 'RECURRING',
  endsAt: END,
  termStartsAt: addInterval(END, 'year', -1),
  ...BY_HAND,
  stripeStatus: 'active',
}
const byHand: Snapshot = { ...yearly, stripeStatus: null }
const owed: Snapshot = {
  ...yearly,
  stripeStatus: 'past_due',
  pastDueSince: END,
  nextAttemptAt: END + 3 * DAY,
  endsAt: END + 365 * DAY,
}

function due(snapshot: Partial<Snapshot> & { base?: Snapshot }, now: number): DueReminder | null {
  const { base = yearly, ...changed } = snapshot
  return dueReminder({ ...base, ...changed }, { now, graceMs: GRACE, timeZone })
}

describe('which reminder is due', () => {
  test.each<[string, Partial<Snapshot> & { base?: Snapshot }, number, string | null]>([
    ['46 days before a charge', {}, END - 46 * DAY, null],
    [
      '45 days before, at the first minute of that day in Georgia',
      {},
      Date.parse('2027-01-16T05:00:00Z'),
      'renewal_45',
    ],
    ['a minute earlier', {}, Date.parse('2027-01-16T04:59:00Z'), null],
    ['30 days before, the first was missed', {}, END - 30 * DAY, 'renewal_45'],
    ['8 days before', {}, END - 8 * DAY, 'renewal_45'],
    ['7 days before', {}, END - 7 * DAY, 'renewal_7'],
    ['on the day', {}, END - HOUR, 'renewal_7'],
    ['when the charge is being made', {}, END, null],
    ['stopped at the end of the period', { cancelAtPeriodEnd: true }, END - 7 * DAY, null],
    ['for life', { kind: 'ONE_TIME', endsAt: null, stripeStatus: null }, END - 7 * DAY, null],
    ['a month is too short for 45 days', { termStartsAt: addInterval(END, 'month', -1) }, END - 20 * DAY, null],
    ['but not for 7', { termStartsAt: addInterval(END, 'month', -1) }, END - 6 * DAY, 'renewal_7'],
    ['by hand, 45 days before', { base: byHand }, END - 45 * DAY, 'term_45'],
    ['by hand, 7 days before', { base: byHand }, END - 7 * DAY, 'term_7'],
    ['by hand, but given up', { base: byHand, cancelAtPeriodEnd: true }, END - 7 * DAY, null],
    ['failed just now', { base: owed }, END, 'past_due_0'],
    ['failed 2 days and 23 hours ago', { base: owed }, END + 71 * HOUR, 'past_due_0'],
    ['failed 3 days ago', { base: owed }, END + 3 * DAY, 'past_due_3'],
    ['failed 7 days ago', { base: owed }, END + 7 * DAY, 'past_due_7'],
    ['failed 13 days ago', { base: owed }, END + 13 * DAY, 'past_due_13'],
    ['failed 14 days ago, the card is tried once more', { base: owed }, END + 14 * DAY, 'past_due_13'],
    ['grace over', { base: owed, nextAttemptAt: null }, END + 14 * DAY, 'expired'],
    ['over a month ago: no news', { base: owed, nextAttemptAt: null }, END + 45 * DAY, null],
    ['a term that is over', { base: byHand }, END, 'expired'],
    ['a cancelled period that is over', { cancelAtPeriodEnd: true }, END, 'canceled'],
    ['never finished paying', { stripeStatus: 'incomplete' }, END - DAY, null],
  ])('%s', (_name, snapshot, now, kind) => expect(due(snapshot, now)?.kind ?? null).toBe(kind))

  test('each names the instant it is about, so it is sent once', () => {
    expect(due({}, END - 7 * DAY)?.aboutAt).toBe(END)
    expect(due({ base: owed }, END + 8 * DAY)?.aboutAt).toBe(END)
    expect(due({ base: owed, nextAttemptAt: null }, END + 15 * DAY)?.aboutAt).toBe(END + GRACE)
    expect(due({ base: byHand }, END + DAY)?.aboutAt).toBe(END)
  })
})

describe('over 30 years, from every day of a year', () => {
  test('each charge is announced twice, 45 and 7 days before, across time changes and leap years', () => {
    for (let day = 0; day < 366; day += 7) {
      const joined = Date.UTC(2027, 6, 1, 4, 30) + day * DAY
      for (let year = 1; year <= 30; year++) {
        const endsAt = addInterval(joined, 'year', year)
        const snapshot: Snapshot = { ...yearly, endsAt, termStartsAt: addInterval(joined, 'year', year - 1) }
        const sent = new Map<string, number>()
        for (let hour = endsAt - 47 * DAY; hour < endsAt; hour += 8 * HOUR) {
          const reminder = dueReminder(snapshot, { now: hour, graceMs: GRACE, timeZone })
          if (reminder && !sent.has(reminder.kind)) sent.set(reminder.kind, daysBetween(hour, endsAt, timeZone))
        }
        expect([...sent]).toEqual([
          ['renewal_45', 45],
          ['renewal_7', 7],
        ])
      }
    }
  })

  test.each([
    ['across the hour that is left out in spring', '2027-03-10T12:00:00Z', '2027-03-17T11:00:00Z', 7],
    ['across the hour that comes twice in autumn', '2027-11-01T03:59:00Z', '2027-11-08T05:00:00Z', 8],
    ['across a leap day', '2028-02-22T17:00:00Z', '2028-03-01T17:00:00Z', 8],
    ['across the same days of another year', '2027-02-22T17:00:00Z', '2027-03-01T17:00:00Z', 7],
    ['a minute before midnight in Georgia to a minute after', '2027-07-01T03:59:00Z', '2027-07-01T04:01:00Z', 1],
    ['within one day', '2027-07-01T04:01:00Z', '2027-07-02T03:59:00Z', 0],
    ['back', '2027-07-03T12:00:00Z', '2027-07-01T12:00:00Z', -2],
  ])('days %s', (_name, from, to, days) => {
    expect(daysBetween(Date.parse(from), Date.parse(to), timeZone)).toBe(days)
  })
})

describe('a queued reminder is sent only while it applies', () => {
  const late = END - 3 * DAY
  test.each<[ReminderKind, Partial<MembershipSnapshot> & { base?: Snapshot }, boolean]>([
    ['renewal_7', {}, true],
    ['renewal_7', { cancelAtPeriodEnd: true }, false],
    ['renewal_7', { endsAt: END + 365 * DAY }, false],
    ['renewal_7', { endedAt: late }, false],
    ['term_7', { base: byHand }, true],
    ['term_7', { base: byHand, endsAt: END + 365 * DAY }, false],
    ['term_7', {}, false],
    ['past_due_3', { stripeStatus: 'past_due', pastDueSince: END, nextAttemptAt: END + DAY }, true],
    ['past_due_3', {}, false],
    ['expired', {}, false],
    ['canceled', { endedAt: late }, true],
    ['recovered', {}, true],
    ['stopped', {}, false],
    ['stopped', { cancelAtPeriodEnd: true }, true],
    ['resumed', {}, true],
    ['refunded', {}, true],
  ])('%s %#', (kind, { base = yearly, ...changed }, holds) => {
    expect(stillApplies({ kind, aboutAt: END }, { ...base, ...changed }, { now: late, graceMs: GRACE })).toBe(holds)
  })
})

test.each([
  ['a year before its end', END - 400 * DAY, null, END - 365 * DAY],
  ['with the membership', END - 30 * DAY, null, END - 30 * DAY],
  ['when an officer granted its end', END - 400 * DAY, END - 20 * DAY, END - 20 * DAY],
  ['not before the membership that a grant replaced', END - 10 * DAY, END - 20 * DAY, END - 10 * DAY],
])('a term begins %s', (_name, startedAt, grantedAt, begins) => {
  expect(reminderTermStart(END - 365 * DAY, startedAt, grantedAt)).toBe(begins)
})
