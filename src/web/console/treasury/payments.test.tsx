import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { errorResponse } from '#tests/support/web/fake-api.ts'
import { openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

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

test('event payments are refunded with a reason, keeping or releasing the seats; an error keeps the input', async () => {
  api.current
    .on(LIST, month([seats]), month([{ ...seats, amountRefunded: 10_000, refundable: false }]))
    .on(REFUND, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'), {
      body: { amount: 10_000 },
    })
  const person = openConsole('/console/payments?month=2026-11')
  await screen.findByText('Seats, Gala')
  await person.click(screen.getByRole('button', { name: 'Refund R-2026-SEATS' }))
  const dialog = await screen.findByRole('dialog', { name: 'Refund this payment?' })
  within(dialog).getByText(/The RSVP is canceled/)
  await person.click(within(dialog).getByLabelText('Keep their seats'))
  within(dialog).getByText(/They keep the seats at no charge/)
  await person.type(within(dialog).getByLabelText('Reason for the audit log'), 'Paid by check too')
  await person.click(within(dialog).getByRole('button', { name: 'Refund' }))
  await within(dialog).findByText('Someone else changed this in the meantime.')
  await person.click(within(dialog).getByRole('button', { name: 'Refund' }))
  await screen.findByText('$100 refunded to Leela Varghese. We’ve emailed them.')
  expect(api.current.requestsTo(REFUND).at(-1)?.body).toEqual({ reason: 'Paid by check too', keepsSeats: true })
  await screen.findByText('Refunded', { selector: '.badge' })
  expect(screen.queryByRole('button', { name: 'Refund R-2026-SEATS' })).toBeNull()
})

test('one month’s figures never show under another month’s name', async () => {
  api.current.on(LIST, month([seats]), 'no network', 'never')
  const person = openConsole('/console/payments?month=2026-11')
  await screen.findByText('Seats, Gala')
  await person.click(screen.getByRole('button', { name: 'Next' }))
  await screen.findByRole('heading', { name: 'December 2026' })
  await screen.findByText(/We couldn’t reach the site/)
  expect(screen.queryByText('Seats, Gala')).toBeNull()
  expect(screen.queryByText('Received')).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Next' }))
  await screen.findByRole('heading', { name: 'January 2027' })
  await screen.findByText('Loading the payments...')
  expect(screen.queryByText('Seats, Gala')).toBeNull()
})

test('a read-only role has no refund button, and dues are refunded on the member’s page', async () => {
  api.current.on(
    LIST,
    month([seats], false),
    month([{ ...seats, kind: 'dues', what: 'Annual Member', refundable: false }]),
  )
  const person = openConsole('/console/payments?month=2026-11')
  await screen.findByText('Seats, Gala')
  expect(screen.queryByRole('button', { name: /^Refund/ })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Previous' }))
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
