import { describe, expect, test } from 'vitest'
import { messages } from '#contract/messages.ts'
import { personsOn, priceTickets, ticketsCost } from '#contract/tickets/tickets.ts'
import { addTickets, decideTickets, findKindFaults, freeTickets, hasTicketsFor } from './ticket.rules.ts'

const kind = { price: 8_000, memberPrice: null, seats: 1, limit: null, levels: [] as string[] }
const adult = { ...kind, key: 'adult', name: 'Adult', memberPrice: 6_000 }
const child = { ...kind, key: 'child', name: 'Child', price: 3_000, limit: 5 }
const student = { ...kind, key: 'student', name: 'Student', price: 2_000, levels: ['student_member'] }
const table = { ...kind, key: 'table', name: 'Table', price: 70_000, seats: 10 }
const kinds = [adult, child, student, table]
const terms = { kinds, guestsMax: 9, isMember: false, levelKey: null }
const of = (...counts: [kind: string, count: number][]) => counts.map(([key, count]) => ({ kind: key, count }))
const held = priceTickets(kinds, of(['adult', 2], ['student', 1]), { isMember: true })

test.each([
  ['adults and children', of(['adult', 2], ['child', 1]), null, terms, 3],
  ['nothing', of(['adult', 0]), null, terms, messages.rsvp.tickets],
  ['a kind that is gone', of(['early', 1]), null, terms, messages.rsvp.ticketsGone],
  ['a whole table', of(['table', 1]), null, terms, 10],
  ['a table and one more', of(['table', 1], ['adult', 1]), null, terms, messages.rsvp.ticketsMany],
  ['a ticket for students, as a visitor', of(['student', 1]), null, terms, messages.rsvp.ticketsOwn],
  [
    'the same as another member',
    of(['student', 1]),
    null,
    { ...terms, levelKey: 'annual_member' },
    messages.rsvp.ticketsOwn,
  ],
  ['the same as a student', of(['student', 1]), null, { ...terms, levelKey: 'student_member' }, 1],
  ['two for one student', of(['student', 2]), null, { ...terms, levelKey: 'student_member' }, messages.rsvp.ticketsOwn],
  ['any kind, from an officer', of(['student', 2]), null, { ...terms, isOfficer: true }, 2],
  ['its own ticket for students, kept by link', of(['adult', 1], ['student', 1]), held, terms, 2],
  ['another one by link', of(['adult', 2], ['student', 2]), held, terms, messages.rsvp.ticketsOwn],
  ['its tickets of a kind that is gone', of(['adult', 2], ['student', 1]), held, { ...terms, kinds: [] }, 3],
  ['more of a kind that is gone', of(['adult', 3]), held, { ...terms, kinds: [] }, messages.rsvp.ticketsGone],
  ['a party that became too large, fewer', of(['adult', 2]), held, { ...terms, guestsMax: 0 }, 2],
])('a party asks for %s', (_, chosen, before, given, outcome) => {
  const decided = decideTickets(chosen, before, given)
  expect('fault' in decided ? decided.fault : personsOn(decided.tickets)).toBe(outcome)
})

describe('the limit of a kind', () => {
  const children = (count: number) => priceTickets(kinds, of(['child', count]), { isMember: false })

  test.each([
    [4, 1, 0, true],
    [5, 1, 0, false],
    [4, 2, 0, false],
    [5, 2, 2, true],
    [5, 3, 2, false],
    [9, 1, 2, true],
  ])('%i taken, %i wanted, %i held: %s', (taken, wanted, before, fits) => {
    expect(hasTicketsFor(kinds, new Map([['child', taken]]), children(wanted), children(before))).toBe(fits)
  })

  test('other kinds have none, and a change holds only what it adds', () => {
    expect(hasTicketsFor(kinds, new Map([['adult', 900]]), held)).toBe(true)
    const taken = new Map<string, number>()
    addTickets(taken, children(3), children(1))
    addTickets(taken, children(1), children(2))
    expect(taken.get('child')).toBe(2)
  })
})

test('free tickets keep the price of further ones', () => {
  const free = freeTickets(held)
  expect([ticketsCost(free), free.map(({ fullPrice }) => fullPrice)]).toEqual([0, [8_000, 8_000, 2_000]])
})

test.each([
  [{}, []],
  [{ price: 5_000, memberPrice: 0 }, ['price', 'memberPrice']],
  [{ guestsMax: 8 }, ['kinds.3.seats']],
  [{ kinds: [adult, { ...child, name: 'ADULT' }] }, ['kinds.1.name']],
  [{ kinds: [adult, { ...child, key: 'adult' }] }, ['kinds.1.name']],
  [{ kinds: [{ ...adult, memberPrice: 9_000 }] }, ['kinds.0.memberPrice']],
  [{ kinds: [], price: 5_000 }, []],
])('settings with %j', (given, fields) => {
  const settings = { kinds, price: null, memberPrice: null, guestsMax: 9, ...given }
  expect(Object.keys(findKindFaults(settings))).toEqual(fields)
})
