import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import PayoutsPage from './payouts.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/payouts'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const payout = { id: 'po_1', amount: 19_417, currency: 'usd', arrivesOn: '2030-03-05', state: 'arrived' }

test('a month shows what reached the bank, and each payout what it is made of', async () => {
  api.current.on(LIST, { body: { payouts: [payout, { ...payout, id: 'po_2', amount: -5_000, state: 'on-its-way' }] } })
  const line = {
    kind: 'payment',
    at: '2030-03-02T15:04:05.000Z',
    name: 'Ila Sen',
    what: 'Annual Member',
    receiptNumber: 'R-2030-1',
    accountId: 'a1',
    amount: 20_000,
    fee: 583,
    net: 19_417,
  }
  const refund = { ...line, kind: 'refund', name: 'Acme', accountId: null, what: 'Sponsor, Gold', amount: -500, fee: 0 }
  api.current.on(`${LIST}/po_1`, { body: { payout, lines: [line, refund], fees: 583 } })
  const { person } = renderPage(PayoutsPage, { at: '/console/payouts?month=2030-03' })
  const entry = (await screen.findByRole('heading', { name: '$194.17' })).closest('section') as HTMLElement
  within(entry).getByText('March 5, 2030')
  within(entry).getByText('Paid')
  expect(api.current.requestsTo(LIST)[0]?.query).toEqual({ month: '2030-03' })
  const below = screen.getByRole('heading', { name: '-$50.00' }).closest('section') as HTMLElement
  expect(within(below).queryByText(/In the bank|On its way/)).toBeNull()
  within(below).getByText(/debit/i)

  await person.click(within(entry).getByRole('button', { name: 'Show details' }))
  await within(entry).findByText('Fees: $5.83')
  expect(within(entry).getByRole('link', { name: 'Ila Sen' }).getAttribute('href')).toBe('/console/members/a1')
  within(entry).getByText('Refund, Sponsor, Gold')
})

test('one month’s payouts never show under another month’s name', async () => {
  api.current.on(LIST, { body: { payouts: [payout] } }, 'no network')
  const { person } = renderPage(PayoutsPage, { at: '/console/payouts?month=2026-03' })
  await screen.findByRole('heading', { name: '$194.17' })
  await person.click(screen.getByRole('button', { name: 'Next: April 2026' }))
  await screen.findByText(/We couldn’t reach the site/)
  expect(screen.queryByRole('heading', { name: '$194.17' })).toBeNull()
})

test('a provider outage is shown with a retry button', async () => {
  const sentence = 'Our card provider is not responding. Please try again in a few minutes.'
  api.current.on(LIST, errorResponse(502, 'PROVIDER_AWAY', sentence), { body: { payouts: [] } })
  const { person } = renderPage(PayoutsPage, { at: '/console/payouts?month=2030-03' })
  await screen.findByText(sentence)
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText(/^No payouts in March 2030/)
})
