import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { ConsoleCoupon, CouponList } from '#contract/console/coupons.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import CouponsPage from './coupons.tsx'

const api = useFakeApi()
const PATH = '/api/console/coupons'
beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('token', tokenFor(3_600))
})

const welcome: ConsoleCoupon = {
  id: 'c1',
  code: 'WELCOME',
  off: '25% off',
  levels: ['Annual Member'],
  validUntil: '2027-01-31',
  uses: 1,
  mostUses: 50,
  note: 'For the gala',
  state: 'active',
  createdBy: 'Meera Rao',
  createdAt: '2026-11-21T12:00:00.000Z',
}
const list = (coupons: ConsoleCoupon[], mayChange = true): { body: CouponList } => ({
  body: {
    coupons,
    levels: [
      { key: 'annual_member', name: 'Annual Member', unitAmount: 10_000, currency: 'usd' },
      { key: 'life_member', name: 'Life Member', unitAmount: 100_000, currency: 'usd' },
    ],
    mayChange,
  },
})

test('a coupon is created as typed; errors are shown under their fields', async () => {
  api.current.on(`GET ${PATH}`, list([]))
  api.current.on(
    `POST ${PATH}`,
    errorResponse(400, 'INVALID_INPUT', 'Please check.', { off: 'Please enter whole percents' }),
  )
  const { person } = renderPage(CouponsPage, { at: '/console/coupons' })
  await person.click(await screen.findByRole('button', { name: 'New coupon' }))
  await person.type(await screen.findByLabelText('Code'), 'welcome')
  await person.type(screen.getByLabelText('Discount'), '250')
  await person.click(screen.getByRole('checkbox', { name: 'Life Member, $1,000' }))
  await person.type(screen.getByLabelText('Usage limit'), '50')
  await person.click(screen.getByRole('button', { name: 'Activate coupon' }))
  await waitFor(() => expect(screen.getByLabelText('Discount').getAttribute('aria-invalid')).toBe('true'))
  api.current.on(`POST ${PATH}`, list([welcome]))
  await person.clear(screen.getByLabelText('Discount'))
  await person.type(screen.getByLabelText('Discount'), '25')
  await person.click(screen.getByRole('button', { name: 'Activate coupon' }))
  await screen.findByText('WELCOME is active.')
  expect(api.current.requestsTo(`POST ${PATH}`).at(-1)?.body).toEqual({
    code: 'welcome',
    kind: 'percent',
    off: '25',
    levels: ['annual_member'],
    note: '',
    mostUses: 50,
  })
  screen.getByText(/Used once of 50/)
})

test('a coupon is deactivated after a confirmation', async () => {
  api.current.on(`GET ${PATH}`, list([welcome]))
  api.current.on(`POST ${PATH}/c1/end`, list([{ ...welcome, state: 'ended' }]))
  const { person } = renderPage(CouponsPage, { at: '/console/coupons' })
  await person.click(await screen.findByRole('button', { name: 'Deactivate WELCOME' }))
  const dialog = await screen.findByRole('dialog', { name: 'Deactivate WELCOME?' })
  await person.click(within(dialog).getByRole('button', { name: 'Deactivate' }))
  await screen.findByText('WELCOME was deactivated.')
  expect(screen.queryByRole('button', { name: 'Deactivate WELCOME' })).toBeNull()
})

test('a read-only role sees the coupons and no form', async () => {
  api.current.on(`GET ${PATH}`, list([{ ...welcome, state: 'refused' }], false))
  renderPage(CouponsPage, { at: '/console/coupons' })
  await screen.findByText(/The card provider rejected it/)
  expect(screen.queryByRole('button', { name: /code|End/ })).toBeNull()
})
