import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { ConsoleCoupon, CouponList } from '#contract/console-coupons.ts'
import { refusal, tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import { renderPage } from '../render-page.tsx'
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

test('a code is given out as it was typed; what is refused stands under its field', async () => {
  api.current.on(`GET ${PATH}`, list([]))
  api.current.on(`POST ${PATH}`, refusal(400, 'INVALID_INPUT', 'Please check.', { off: 'Please enter whole percents' }))
  const { person } = renderPage(CouponsPage, { at: '/console/coupons' })
  await person.type(await screen.findByLabelText('Code'), 'welcome')
  await person.type(screen.getByLabelText('Takes off'), '250')
  await person.click(screen.getByRole('checkbox', { name: 'Life Member, $1,000' }))
  await person.type(screen.getByLabelText('Most uses'), '50')
  await person.click(screen.getByRole('button', { name: 'Give out this code' }))
  await waitFor(() => expect(screen.getByLabelText('Takes off').getAttribute('aria-invalid')).toBe('true'))
  api.current.on(`POST ${PATH}`, list([welcome]))
  await person.clear(screen.getByLabelText('Takes off'))
  await person.type(screen.getByLabelText('Takes off'), '25')
  await person.click(screen.getByRole('button', { name: 'Give out this code' }))
  await screen.findByText('WELCOME is given out.')
  expect(api.current.of(`POST ${PATH}`).at(-1)?.body).toEqual({
    code: 'welcome',
    kind: 'percent',
    off: '25',
    levels: ['annual_member'],
    note: '',
    mostUses: 50,
  })
  screen.getByText(/Used once of 50/)
})

test('a code is ended after a question', async () => {
  api.current.on(`GET ${PATH}`, list([welcome]))
  api.current.on(`POST ${PATH}/c1/end`, list([{ ...welcome, state: 'ended' }]))
  const { person } = renderPage(CouponsPage, { at: '/console/coupons' })
  await person.click(await screen.findByRole('button', { name: 'End WELCOME' }))
  const dialog = await screen.findByRole('dialog', { name: 'End WELCOME?' })
  await person.click(within(dialog).getByRole('button', { name: 'End it' }))
  await screen.findByText('WELCOME is ended.')
  expect(screen.queryByRole('button', { name: 'End WELCOME' })).toBeNull()
})

test('whoever may only look sees codes, and no form', async () => {
  api.current.on(`GET ${PATH}`, list([{ ...welcome, state: 'refused' }], false))
  renderPage(CouponsPage, { at: '/console/coupons' })
  await screen.findByText(/The card provider would not make it/)
  expect(screen.queryByRole('button', { name: /code|End/ })).toBeNull()
})
