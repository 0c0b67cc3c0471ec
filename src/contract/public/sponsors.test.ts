import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parseCents, formatDollars, sponsorFields } from './sponsors.ts'

const who = { name: 'Leela Varghese', email: 'leela@example.com', company: 'Kaveri Labs' }
const REQUIRED = 'Custom amount is required'
const INVALID = 'Please enter a valid amount (minimum $1.00)'

/** The parsed cents, or the message. */
function read(amount: unknown): number | string | undefined {
  const result = z.safeParse(sponsorFields, { ...who, amount })
  return result.success ? result.data.amount : result.error.issues[0]?.message
}

describe('an amount in dollars, as a number or its digits (docs/product-rules.md#price-is-the-servers)', () => {
  test.each([
    [1, 100],
    ['1', 100],
    ['1.0', 100],
    ['1.00', 100],
    ['1.01', 101],
    ['1.1', 110],
    [1.1, 110],
    [' 25 ', 2_500],
    ['8.20', 820],
    [8.2, 820],
    [1.15, 115],
    [4.35, 435],
    [16.08, 1_608],
    [19.99, 1_999],
    [33.33, 3_333],
    [64.1, 6_410],
    [1_000, 100_000],
    ['1000.00', 100_000],
    [1_234.5, 123_450],
    ['1234.56', 123_456],
    [99_999.99, 9_999_999],
    ['100000', 10_000_000],
    ['100000.00', 10_000_000],
    [1e5, 10_000_000],
  ])('%s is %i cents', (amount, cents) => {
    expect(read(amount)).toBe(cents)
  })

  test.each([
    0,
    0.5,
    0.99,
    '0.99',
    '0',
    '0.00',
    -5,
    '-5',
    '+5',
    -0.01,
    1.005,
    '1.005',
    '1.000',
    '10.999',
    1e9,
    '1e9',
    '1e2',
    '1E2',
    1e21,
    1e-7,
    '0x10',
    '0b11',
    'NaN',
    'Infinity',
    'ten',
    '$10',
    '10 dollars',
    '1,000',
    '1 000',
    '1.',
    '.5',
    '1..5',
    '1.2.3',
    '007',
    '１０',
    '٣',
    '100000.01',
    '100001',
    '999999999999999999999',
    '10\n20',
    true,
    {},
    [],
    ['10'],
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('%j is refused', (amount) => {
    expect(read(amount)).toBe(INVALID)
  })

  test.each([undefined, null, '', '   '])('%j is missing', (amount) => {
    expect(read(amount)).toBe(REQUIRED)
  })

  test('ten thousand amounts are parsed to the cent, as text and as number', () => {
    for (let turn = 0; turn < 10_000; turn++) {
      const cents = 100 + ((turn * 7_368_787) % 9_999_901)
      const text = formatDollars(cents)
      expect(parseCents(text), text).toBe(cents)
      expect(read(Number(text)), text).toBe(cents)
    }
  })
})

describe('the sponsor form', () => {
  test('all messages at once, in the specified order', () => {
    const { error } = z.safeParse(sponsorFields, { name: ' ', email: '', company: '', amount: '' })
    const first = new Map([...(error?.issues ?? [])].reverse().map(({ path, message }) => [path[0], message]))
    expect([...first].reverse()).toEqual([
      ['name', 'Full name is required'],
      ['email', 'Email is required'],
      ['company', 'Company/Organization name is required'],
      ['amount', REQUIRED],
    ])
  })

  test('phone and message may be omitted, empty or null', () => {
    for (const empty of [undefined, null, '', '  ']) {
      const result = z.parse(sponsorFields, { ...who, amount: 5, phone: empty, message: empty })
      expect(result).toMatchObject({ phone: null, message: null })
    }
  })

  test('line endings of a message become line feeds; other fields are single lines', () => {
    const read = (over: object) => z.safeParse(sponsorFields, { ...who, amount: 5, ...over })
    expect(read({ message: 'One\r\nTwo' }).data?.message).toBe('One\nTwo')
    for (const field of ['name', 'company', 'phone', 'email']) {
      expect(read({ [field]: 'a@b.example\r\nBcc: all@example.com' }).success, field).toBe(false)
    }
  })
})
