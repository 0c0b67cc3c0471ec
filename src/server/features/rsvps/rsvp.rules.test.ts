import { expect, test } from 'vitest'
import {
  countMeals,
  isLaterCheckIn,
  isReminderDue,
  validateParty,
  selectForPromotion,
  rsvpState,
  type RsvpRuleInput,
} from './rsvp.rules.ts'

const DAY = 86_400_000
const STARTS = 100 * DAY
const gala: RsvpRuleInput = {
  isOpen: true,
  isCanceled: false,
  capacity: 10,
  closesAt: null,
  startsAt: STARTS,
  endsAt: STARTS + DAY,
}

test.each<[string, Partial<RsvpRuleInput> | null, number, number, string]>([
  ['there are no RSVP settings', null, 0, 0, 'none'],
  ['it is open', {}, 9, 0, 'open'],
  ['the last seat is gone', {}, 10, 0, 'full'],
  ['the capacity was lowered', { capacity: 5 }, 9, 0, 'full'],
  ['there is no limit', { capacity: null }, 90_000, 0, 'open'],
  ['it was closed', { isOpen: false }, 0, 0, 'closed'],
  ['it is canceled', { isOpen: false, isCanceled: true }, 0, 0, 'off'],
  ['it was canceled, and its day has passed', { isOpen: false, isCanceled: true }, 0, STARTS + DAY, 'over'],
  ['the RSVP deadline has passed', { closesAt: 90 * DAY }, 0, 90 * DAY, 'closed'],
  ['the RSVP deadline is after the event', { closesAt: 200 * DAY }, 0, STARTS, 'closed'],
  ['it begins', {}, 0, STARTS, 'closed'],
  ['a moment before it begins', {}, 0, STARTS - 1, 'open'],
  ['it has ended', {}, 0, STARTS + DAY, 'over'],
  ['its date cannot be read', { startsAt: null, endsAt: null }, 0, 0, 'over'],
])('when %s', (_, over, taken, now, state) => {
  expect(rsvpState(over && { ...gala, ...over }, taken, now)).toBe(state)
})

const parties = (...guests: number[]) => guests.map((count, index) => ({ id: index, guests: count, tickets: [] }))

test.each<[string, number[], number | null, number, number[]]>([
  ['no one while it is full', [0, 0], 10, 10, []],
  ['the first in line', [0, 0], 10, 9, [0]],
  ['past a party that is too large, which stays in line', [3, 0, 1], 10, 8, [1]],
  ['as many as fit', [1, 0, 0], 10, 7, [0, 1]],
  ['everyone if there is no limit', [5, 5], null, 10, [0, 1]],
  ['no one if it is overbooked', [0], 5, 8, []],
])('the waitlist promotes %s', (_, waiting, capacity, taken, ids) => {
  expect(
    selectForPromotion(parties(...waiting), { capacity, taken, kinds: [], takenTickets: new Map() }).map(
      ({ id }) => id,
    ),
  ).toEqual(ids)
})

test('the waitlist promotes past a party whose kind of ticket is gone', () => {
  const ticket = (kind: string) => [{ kind, name: kind, price: 0, fullPrice: 0, seats: 1, count: 1 }]
  const kind = { name: 'Child', price: 0, memberPrice: null, seats: 1, levels: [] }
  const waiting = ['child', 'adult', 'child', 'child'].map((key, id) => ({ id, guests: 0, tickets: ticket(key) }))
  const event = { capacity: null, taken: 0, kinds: [{ ...kind, key: 'child', limit: 3 }] }
  const promoted = selectForPromotion(waiting, { ...event, takenTickets: new Map([['child', 2]]) })
  expect(promoted.map(({ id }) => id)).toEqual([0, 1])
})

const menu = { guestsMax: 2, meals: ['Vegetarian', 'Chicken'] }
const plain = { guestsMax: 2, meals: [] }

test.each<[string, number, string[], { guestsMax: number; meals: string[] }, string[]]>([
  ['alone', 0, [], plain, []],
  ['as many guests as are allowed', 2, [], plain, []],
  ['one guest too many', 3, [], plain, ['guests']],
  ['a meal for everyone', 1, ['Vegetarian', 'Vegetarian'], menu, []],
  ['a guest without a meal', 1, ['Vegetarian'], menu, ['meals']],
  ['a meal too many', 0, ['Vegetarian', 'Chicken'], menu, ['meals']],
  ['a meal that is not on the menu', 0, ['Lobster'], menu, ['meals']],
  ['a meal where there is no menu', 0, ['Chicken'], plain, ['meals']],
])('a party: %s', (_, guests, meals, settings, fields) => {
  expect(Object.keys(validateParty({ guests, meals }, settings))).toEqual(fields)
})

test.each<[string, { askedAt: number; remindedAt: number | null }, number | null, number, boolean]>([
  ['two days before', { askedAt: 0, remindedAt: null }, STARTS, STARTS - 2 * DAY, true],
  ['a moment too early', { askedAt: 0, remindedAt: null }, STARTS, STARTS - 2 * DAY - 1, false],
  ['late, after an outage', { askedAt: 0, remindedAt: null }, STARTS, STARTS - 1, true],
  ['not when it has begun', { askedAt: 0, remindedAt: null }, STARTS, STARTS, false],
  ['not twice', { askedAt: 0, remindedAt: 1 }, STARTS, STARTS - DAY, false],
  ['not for a more recent RSVP', { askedAt: STARTS - DAY, remindedAt: null }, STARTS, STARTS - DAY, false],
  ['not without a readable date', { askedAt: 0, remindedAt: null }, null, STARTS - DAY, false],
])('a reminder: %s', (_, rsvp, startsAt, now, isDue) => {
  expect(isReminderDue(rsvp, startsAt, now)).toBe(isDue)
})

test('the later of two check-ins wins, in any order of arrival', () => {
  const marks = [
    { id: 'b', at: 5 },
    { id: 'a', at: 5 },
    { id: 'c', at: 4 },
  ]
  for (const order of [marks, marks.toReversed(), [marks[1], marks[2], marks[0]]]) {
    let held: { at: number | null; id: string | null } = { at: null, id: null }
    for (const mark of order) if (mark && isLaterCheckIn(mark, held)) held = mark
    expect(held).toEqual({ id: 'b', at: 5 })
  }
})

test('counts every meal on the menu, and those no longer on it', () => {
  const coming = [{ meals: ['Chicken', 'Fish'] }, { meals: ['Chicken'] }]
  expect(countMeals(coming, menu.meals)).toEqual([
    { meal: 'Vegetarian', count: 0 },
    { meal: 'Chicken', count: 2 },
    { meal: 'Fish', count: 1 },
  ])
})
