import { tierKind } from '#server/features/content-store/kinds/support.kinds.ts'
import { describe, expect, test } from 'vitest'
import { readContentFiles } from '#server/features/seed/content-files.service.ts'
import { SAMPLE_DIRECTORY } from '#server/config/profiles.ts'
import { priceSponsorship } from './sponsorship.rules.ts'

const tiers = readContentFiles(SAMPLE_DIRECTORY).records.single(tierKind)?.tiers ?? []
const price = (tierName: string, amount: number) => priceSponsorship({ tierName, amount }, tiers)

describe('a named tier has its price and its benefits', () => {
  test.each([
    ['Silver', 100_000, 1],
    ['Gold', 200_000, 3],
    ['Platinum', 250_000, 5],
    ['Patron', 300_000, 10],
  ])('%s', (tierName, amount, remarksMinutes) => {
    expect(price(tierName, amount)).toEqual({ tierName, amount, remarksMinutes, reservedTable: true, hasLogo: true })
    for (const other of [100, amount - 1, amount + 1, amount / 100]) expect(price(tierName, other)).toBe('other-price')
  })
})

describe('a custom amount', () => {
  test.each([
    [100, 'Custom Amount - $1.00', null, false],
    [99_999, 'Custom Amount - $999.99', null, false],
    [100_000, 'Custom Amount - $1000.00', 1, true],
    [123_450, 'Custom Amount - $1234.50', 1, true],
    [249_999, 'Custom Amount - $2499.99', 3, true],
    [10_000_000, 'Custom Amount - $100000.00', 10, true],
  ])('of %i cents is called %s', (amount, tierName, remarksMinutes, reservedTable) => {
    const expected = { tierName, amount, remarksMinutes, reservedTable, hasLogo: false }
    expect(price('Custom Amount', amount)).toEqual(expected)
    // The amount in the name is written by the server, whatever the browser sent.
    expect(price('Custom Amount - $9.99', amount)).toEqual(expected)
  })
})

test.each(['silver', 'Silver ', 'SILVER', 'Bronze', 'custom', 'My Custom Amount', 'constructor', '__proto__'])(
  '%s is no tier',
  (tierName) => {
    expect(price(tierName, 100_000)).toBe('unknown-tier')
  },
)
