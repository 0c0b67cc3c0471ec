import { expect, test } from 'vitest'
import { priceTickets } from '#contract/tickets/tickets.ts'
import { changeCost, findShortKind, kindsOf, kindText, mostOf, personsIn } from './ticket-choice.rules.ts'

const kind = { memberPrice: 8_000, price: 8_000, seats: 1, left: null, levels: [], mayChoose: true }
const adult = { ...kind, key: 'adult', name: 'Adult', memberPrice: 6_000 }
const child = { ...kind, key: 'child', name: 'Child', price: 0, memberPrice: 0, left: 2 }
const table = { ...kind, key: 'table', name: 'Table', seats: 10, left: 40 }
const student = { ...kind, key: 'student', name: 'Student', levels: ['Student Member'], mayChoose: false }
const kinds = [adult, child, table, student]
const held = priceTickets(kinds, [{ kind: 'adult', count: 2 }], { isMember: false })

test('a kind is described in a line', () => {
  expect(kinds.map((one) => kindText(one, 'usd'))).toEqual([
    '$80, members $60',
    'free, 2 left',
    '$80, for 10 people',
    '$80, only for Student Member, one each',
  ])
})

test.each([
  ['by the size of the party', adult, 3, null, 4],
  ['a table', table, 9, null, 1],
  ['no table in small parties', table, 3, null, 0],
  ['none of another level', student, 3, null, 0],
  ['one of the own level', { ...student, mayChoose: true }, 3, null, 1],
  ['none by the link of an RSVP', { ...student, mayChoose: true }, 3, held, 0],
  ['as many as the party has', adult, 0, held, 2],
])('offers %s', (_, one, guestsMax, own, most) => expect(mostOf(one, { guestsMax, held: own })).toBe(most))

test('counts persons, and finds the kind that is short', () => {
  const chosen = [
    { kind: 'table', count: 1 },
    { kind: 'child', count: 3 },
  ]
  expect(personsIn(kinds, chosen)).toBe(13)
  expect(findShortKind(kinds, chosen)).toBe(child)
  expect(findShortKind(kinds, chosen, [{ ...held[0]!, kind: 'child', count: 1 }])).toBeNull()
})

test('a kind that is no longer offered stays in the form of its party', () => {
  expect(kindsOf({ kinds: [child], currency: 'usd', refundUntil: null }, held).map(({ key }) => key)).toEqual([
    'child',
    'adult',
  ])
})

test.each([
  ['one more', 3, 16_000, 8_000],
  ['one less', 1, 16_000, -8_000],
  ['one less, of a party that paid less', 1, 10_000, -2_000],
  ['one less, of a party that paid nothing', 1, 0, 0],
  ['one more that was paid and not refunded', 3, 24_000, 0],
])('a change to %s', (_, count, paid, cents) => {
  expect(changeCost(held, kinds, [{ kind: 'adult', count }], paid)).toBe(cents)
})
