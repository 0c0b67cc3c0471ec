import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal } from '#web/api/fake-api.ts'
import { openConsole, useConsoleApi } from '../open-console.tsx'

const api = useConsoleApi()
const LIST = 'GET /api/console/payments'
const REFUND = 'POST /api/console/payments/rsvp/o1/refund'

const seats = {
  id: 'o1',
  kind: 'event',
  name: 'Leela Varghese',
  email: 'leela@example.com',
  accountId: null,
  what: 'Gala',
  receiptNumber: 'R-2026-SEATS',
  paidAt: '2026-11-20T12:00:00.000Z',
  amount: 10_000,
  amountRefunded: 0,
  dispute: null,
  currency: 'usd',
  paidBy: 'Card',
  refundable: true,
}
const month = (payments: object[], mayRefund = true) => ({
  body: { payments, received: 10_000, returned: 0, kept: 10_000, currency: 'usd', mayRefund, failing: 0 },
})

test('the money for seats goes back with a reason, and with the seats or without; a refusal loses nothing', async () => {
  api.current
    .on(LIST, month([seats]), month([{ ...seats, amountRefunded: 10_000, refundable: false }]))
    .on(REFUND, refusal(409, 'CHANGED_MEANWHILE', 'Somebody else changed this meanwhile.'), {
      body: { amount: 10_000 },
    })
  const person = openConsole('/console/payments?month=2026-11')
  await screen.findByText('Seats, Gala')
  await person.click(screen.getByRole('button', { name: 'Refund R-2026-SEATS' }))
  const dialog = await screen.findByRole('dialog', { name: 'Give the money for these seats back?' })
  within(dialog).getByText(/They are taken off the list/)
  await person.click(within(dialog).getByLabelText('They keep their seats'))
  within(dialog).getByText(/The seats cost nothing from now on/)
  await person.type(within(dialog).getByLabelText('Reason for the audit log'), 'Paid by check too')
  await person.click(within(dialog).getByRole('button', { name: 'Give it back' }))
  await within(dialog).findByText('Somebody else changed this meanwhile.')
  await person.click(within(dialog).getByRole('button', { name: 'Give it back' }))
  await screen.findByText('$100 go back to Leela Varghese. A letter says so.')
  expect(api.current.of(REFUND).at(-1)?.body).toEqual({ reason: 'Paid by check too', keepsSeats: true })
  await screen.findByText('Refunded')
  expect(screen.queryByRole('button', { name: 'Refund R-2026-SEATS' })).toBeNull()
})

test('the figures of one month never stand under the name of another', async () => {
  api.current.on(LIST, month([seats]), 'no network', 'never')
  const person = openConsole('/console/payments?month=2026-11')
  await screen.findByText('Seats, Gala')
  await person.click(screen.getByRole('button', { name: 'Later' }))
  await screen.findByRole('heading', { name: 'December 2026' })
  await screen.findByText(/The site did not answer/)
  expect(screen.queryByText('Seats, Gala')).toBeNull()
  expect(screen.queryByText('Received')).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Later' }))
  await screen.findByRole('heading', { name: 'January 2027' })
  await screen.findByText('Loading the payments...')
  expect(screen.queryByText('Seats, Gala')).toBeNull()
})

test('whoever may only look is offered no refund, and dues are given back on the page of their member', async () => {
  api.current.on(
    LIST,
    month([seats], false),
    month([{ ...seats, kind: 'dues', what: 'Annual Member', refundable: false }]),
  )
  const person = openConsole('/console/payments?month=2026-11')
  await screen.findByText('Seats, Gala')
  expect(screen.queryByRole('button', { name: /^Refund/ })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Earlier' }))
  await screen.findByText('Annual Member')
  expect(screen.queryByRole('button', { name: /^Refund/ })).toBeNull()
})

test('a canceled check is a line below zero with its reason, and seats whose refund is on its way have no button', async () => {
  const canceled = {
    ...seats,
    id: 'p1-canceled',
    kind: 'canceled',
    what: 'Annual Member',
    amount: 0,
    amountRefunded: 10_000,
  }
  const note = 'the bank returned it'
  api.current.on(
    LIST,
    month([
      { ...seats, refundable: false },
      { ...canceled, note, paidBy: 'Check 7', refundable: false },
    ]),
  )
  openConsole('/console/payments?month=2026-11')
  await screen.findByText('Canceled receipt, Annual Member')
  screen.getByText('-$100')
  screen.getByText(/The bank returned it/)
  expect(screen.queryByRole('button', { name: /Refund/ })).toBeNull()
})
