import { expect, test } from 'vitest'
import { readPaymentFilters } from './payment-filters.rules.ts'

const span = { from: '2026-11-01', to: '2026-11-30' }

test.each([
  ['', { sort: 'day', order: 'desc' }],
  [
    'kind=dues&state=refunded&method=zelle&type=refund',
    { kind: 'dues', state: 'refunded', method: 'zelle', type: 'refund', sort: 'day', order: 'desc' },
  ],
  ['kind=nothing&least=-4&most=900', { most: '900', sort: 'day', order: 'desc' }],
  ['q=+rao+&sort=amount', { q: 'rao', sort: 'amount', order: 'asc' }],
  ['sort=name&descending=yes', { sort: 'name', order: 'desc' }],
  ['sort=nonsense&descending=yes', { sort: 'day', order: 'desc' }],
])('the address %s asks for %o', (address, expected) => {
  expect(readPaymentFilters(new URLSearchParams(address), span)).toEqual({ ...expected, ...span })
})
