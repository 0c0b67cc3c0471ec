import { expect, test } from 'vitest'
import {
  countMeals,
  isLaterMark,
  isReminderDue,
  partyProblems,
  promoted,
  rsvpState,
  type OfferFacts,
} from './rsvp.rules.ts'

const DAY = 86_400_000
const STARTS = 100 * DAY
const gala: OfferFacts = {
  isOpen: true,
  isCalledOff: false,
  capacity: 10,
  closesAt: null,
  startsAt: STARTS,
  endsAt: STARTS + DAY,
}

test.each<[string, Partial<OfferFacts> | null, number, number, string]>([
  ['nothing is offered', null, 0, 0, 'none'],
  ['it is open', {}, 9, 0, 'open'],
  ['the last seat is gone', {}, 10, 0, 'full'],
  ['seats were taken away', { capacity: 5 }, 9, 0, 'full'],
  ['there is no limit', { capacity: null }, 90_000, 0, 'open'],
  ['it was closed', { isOpen: false }, 0, 0, 'closed'],
  ['it is called off', { isOpen: false, isCalledOff: true }, 0, 0, 'off'],
  ['it was called off, and its day is over', { isOpen: false, isCalledOff: true }, 0, STARTS + DAY, 'over'],
  ['its last day is over', { closesAt: 90 * DAY }, 0, 90 * DAY, 'closed'],
  ['its last day is after the event', { closesAt: 200 * DAY }, 0, STARTS, 'closed'],
  ['it begins', {}, 0, STARTS, 'closed'],
  ['a moment before it begins', {}, 0, STARTS - 1, 'open'],
  ['it has ended', {}, 0, STARTS + DAY, 'over'],
  ['nobody can read its date', { startsAt: null, endsAt: null }, 0, 0, 'over'],
])('when %s', (_, over, taken, now, state) => {
  expect(rsvpState(over && { ...gala, ...over }, taken, now)).toBe(state)
})

const parties = (...guests: number[]) => guests.map((count, index) => ({ id: index, guests: count }))

test.each<[string, number[], number | null, number, number[]]>([
  ['nobody while it is full', [0, 0], 10, 10, []],
  ['the one who waits longest', [0, 0], 10, 9, [0]],
  ['past a party that is too large, which waits on', [3, 0, 1], 10, 8, [1]],
  ['as many as fit', [1, 0, 0], 10, 7, [0, 1]],
  ['everybody where there is no limit', [5, 5], null, 10, [0, 1]],
  ['nobody where more come than there are seats', [0], 5, 8, []],
])('the waitlist moves up %s', (_, waiting, capacity, taken, ids) => {
  expect(promoted(parties(...waiting), { capacity, taken }).map(({ id }) => id)).toEqual(ids)
})

const menu = { guestsMax: 2, meals: ['Vegetarian', 'Chicken'] }
const plain = { guestsMax: 2, meals: [] }

test.each<[string, number, string[], { guestsMax: number; meals: string[] }, string[]]>([
  ['alone', 0, [], plain, []],
  ['as many guests as are allowed', 2, [], plain, []],
  ['one guest too many', 3, [], plain, ['guests']],
  ['a meal for everybody', 1, ['Vegetarian', 'Vegetarian'], menu, []],
  ['a guest without a meal', 1, ['Vegetarian'], menu, ['meals']],
  ['a meal too many', 0, ['Vegetarian', 'Chicken'], menu, ['meals']],
  ['a meal that is not offered', 0, ['Lobster'], menu, ['meals']],
  ['a meal where none is offered', 0, ['Chicken'], plain, ['meals']],
])('a party: %s', (_, guests, meals, offer, fields) => {
  expect(Object.keys(partyProblems({ guests, meals }, offer))).toEqual(fields)
})

test.each<[string, { askedAt: number; remindedAt: number | null }, number | null, number, boolean]>([
  ['two days before', { askedAt: 0, remindedAt: null }, STARTS, STARTS - 2 * DAY, true],
  ['a moment too early', { askedAt: 0, remindedAt: null }, STARTS, STARTS - 2 * DAY - 1, false],
  ['late, after an outage', { askedAt: 0, remindedAt: null }, STARTS, STARTS - 1, true],
  ['not when it has begun', { askedAt: 0, remindedAt: null }, STARTS, STARTS, false],
  ['not twice', { askedAt: 0, remindedAt: 1 }, STARTS, STARTS - DAY, false],
  ['not to whoever just heard from us', { askedAt: STARTS - DAY, remindedAt: null }, STARTS, STARTS - DAY, false],
  ['not for a day that nobody can read', { askedAt: 0, remindedAt: null }, null, STARTS - DAY, false],
])('a reminder: %s', (_, rsvp, startsAt, now, isDue) => {
  expect(isReminderDue(rsvp, startsAt, now)).toBe(isDue)
})

test('of two marks the later holds, in whatever order they arrive', () => {
  const marks = [
    { id: 'b', at: 5 },
    { id: 'a', at: 5 },
    { id: 'c', at: 4 },
  ]
  for (const order of [marks, marks.toReversed(), [marks[1], marks[2], marks[0]]]) {
    let held: { at: number | null; id: string | null } = { at: null, id: null }
    for (const mark of order) if (mark && isLaterMark(mark, held)) held = mark
    expect(held).toEqual({ id: 'b', at: 5 })
  }
})

test('the kitchen is told every meal that is offered, and those that no longer are', () => {
  const coming = [{ meals: ['Chicken', 'Fish'] }, { meals: ['Chicken'] }]
  expect(countMeals(coming, menu.meals)).toEqual([
    { meal: 'Vegetarian', count: 0 },
    { meal: 'Chicken', count: 2 },
    { meal: 'Fish', count: 1 },
  ])
})
