import { expect, test } from 'vitest'
import { changeTickets, personsOn, priceTickets, sameTickets, ticketLines, ticketsCost } from './tickets.ts'

const adult = { key: 'adult', name: 'Adult', price: 8_000, memberPrice: 6_000, seats: 1 }
const child = { key: 'child', name: 'Child', price: 3_000, memberPrice: null, seats: 1 }
const table = { key: 'table', name: 'Table of ten', price: 70_000, memberPrice: 65_000, seats: 10 }
const kinds = [adult, child, table]
const of = (...counts: [kind: string, count: number][]) => counts.map(([kind, count]) => ({ kind, count }))
const asMember = { isMember: true }
const asGuest = { isMember: false }

test.each([
  ['two adults, one of them the member, and a child', of(['adult', 2], ['child', 1]), asMember, 17_000, 3],
  ['the same as a visitor', of(['adult', 2], ['child', 1]), asGuest, 19_000, 3],
  ['a child of a member, without a member price', of(['child', 2]), asMember, 6_000, 2],
  ['the member price is for one ticket only', of(['adult', 3]), asMember, 22_000, 3],
  ['the ticket on which it saves most', of(['adult', 1], ['table', 1]), asMember, 73_000, 11],
  ['a kind named twice', of(['child', 1], ['child', 1]), asGuest, 6_000, 2],
  ['a kind that is not offered', of(['gone', 2]), asGuest, 0, 0],
])('%s', (_, chosen, who, cents, persons) => {
  const tickets = priceTickets(kinds, chosen, who)
  expect([ticketsCost(tickets), personsOn(tickets)]).toEqual([cents, persons])
})

const held = priceTickets(kinds, of(['adult', 2], ['child', 1]), asMember)
const dearer = [{ ...adult, price: 9_000 }, child, table]

test.each([
  ['nothing', of(['adult', 2], ['child', 1]), 17_000],
  ['an adult less: the dearer ticket goes', of(['adult', 1], ['child', 1]), 9_000],
  ['an adult more, at the agreed price', of(['adult', 3], ['child', 1]), 25_000],
  ['an adult becomes a child', of(['adult', 1], ['child', 2]), 12_000],
  ['another kind, at its price now', of(['adult', 2], ['child', 1], ['table', 1]), 87_000],
  ['everyone', of(), 0],
])('changes %s', (_, chosen, cents) => expect(ticketsCost(changeTickets(held, dearer, chosen))).toBe(cents))

test('tickets of a kind that is no longer offered are kept or given up', () => {
  expect(changeTickets(held, [], of(['adult', 2], ['child', 1]))).toEqual(held)
  expect(ticketsCost(changeTickets(held, [], of(['child', 1])))).toBe(3_000)
})

test('tickets that were refunded are free, and further ones are not', () => {
  const free = held.map((ticket) => ({ ...ticket, price: 0 }))
  expect(ticketsCost(changeTickets(free, kinds, of(['adult', 3], ['child', 1])))).toBe(8_000)
})

test('tickets are the same in any order, and listed by name', () => {
  expect(sameTickets(held, held.toReversed())).toBe(true)
  expect(sameTickets(held, priceTickets(kinds, of(['adult', 2], ['child', 1]), asGuest))).toBe(false)
  expect(ticketLines(held)).toEqual(['2 × Adult', '1 × Child'])
})
