import { describe, expect, test } from 'vitest'
import { changeRow, newRow, readPasted, type Choices } from './payment-rows.rules.ts'

const choices: Choices = {
  levels: [
    { key: 'annual_member', name: 'Annual Member', price: 10_000 },
    { key: 'life_member', name: 'Life Member', price: 100_000 },
  ],
  events: [{ id: 'gala', title: 'Gala', day: '2026-12-05', price: 12_000, memberPrice: 10_000 }],
  tiers: [{ name: 'Gold', price: 200_000 }],
  today: '2026-11-26',
}

describe('the amount of a row', () => {
  const row = newRow('1', choices.today)

  test('is the price of what is chosen, and follows another choice', () => {
    const dues = changeRow(row, { levelKey: 'annual_member' }, choices)
    expect(dues.amount).toBe('100')
    expect(changeRow(dues, { levelKey: 'life_member' }, choices).amount).toBe('1000')
    const seats = changeRow(row, { kind: 'seats', eventId: 'gala' }, choices)
    expect(changeRow(seats, { guests: '2' }, choices).amount).toBe('360')
  })

  test('that was typed stays', () => {
    const typed = changeRow(row, { amount: '90' }, choices)
    expect(changeRow(typed, { levelKey: 'annual_member' }, choices).amount).toBe('90')
  })
})

test('the next row is for the same, paid the same way on the same day', () => {
  const before = {
    ...newRow('1', '2026-11-20'),
    kind: 'seats' as const,
    eventId: 'gala',
    method: 'cash' as const,
    amount: '120',
    email: 'a@b.example',
  }
  expect(newRow('2', '2026-11-26', before)).toMatchObject({
    kind: 'seats',
    eventId: 'gala',
    method: 'cash',
    paidOn: '2026-11-20',
    email: '',
    reference: '',
  })
})

test('pasted rows may have a day, as spreadsheets write it', () => {
  expect(readPasted('a@b.example\t100\t2093\nc@d.example\t120\t2094\t11/20/2026')).toEqual({
    rows: [
      { email: 'a@b.example', amount: '100', reference: '2093', paidOn: '' },
      { email: 'c@d.example', amount: '120', reference: '2094', paidOn: '2026-11-20' },
    ],
  })
})

test.each([
  ['just some text', 'Each row needs at least email, amount and check number'],
  ['a@b.example\t100', 'Each row needs at least email, amount and check number'],
  ['a@b.example\t100\t2093\tlast week', 'The day “last week” in row 1 cannot be read: write 11/20/2026'],
])('of pasted text %j it is said what is wrong', (text, problem) => expect(readPasted(text)).toEqual({ problem }))
