import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { errorResponse } from '#tests/support/web/fake-api.ts'
import { openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

const api = useConsoleApi()
const LIST = 'GET /api/console/payments'
const ONE = 'GET /api/console/payments/seats/o1'
const REFUND = 'POST /api/console/payments/seats/o1/refund'

const line = {
  id: 'e1',
  paymentId: 'o1',
  kind: 'seats',
  type: 'payment',
  at: '2026-11-20T12:00:00.000Z',
  name: 'Leela Varghese',
  email: 'leela@example.com',
  accountId: null,
  what: 'Gala',
  receiptNumber: 'R-2026-SEATS',
  paidBy: 'Card',
  amount: 10_000,
  currency: 'usd',
  state: 'paid',
  note: null,
}
const month = (lines: object[], over: object = {}) => ({
  body: {
    lines,
    total: lines.length,
    sums: { received: 10_000, refunded: 2_500, revenue: 7_500, payments: 1, refunds: 1 },
    kinds: [
      { kind: 'dues', revenue: 0, lines: 0 },
      { kind: 'seats', revenue: 7_500, lines: 2 },
      { kind: 'sponsorship', revenue: 0, lines: 0 },
    ],
    currency: 'usd',
    failing: 0,
    refundsDue: 0,
    mayChange: true,
    ...over,
  },
})
const payment = {
  id: 'o1',
  kind: 'seats',
  name: 'Leela Varghese',
  email: 'leela@example.com',
  accountId: null,
  what: 'Gala',
  receiptNumber: 'R-2026-SEATS',
  paidBy: 'Card',
  isByHand: false,
  paidAt: '2026-11-20T12:00:00.000Z',
  recordedAt: '2026-11-20T12:00:00.000Z',
  amount: 10_000,
  amountRefunded: 0,
  currency: 'usd',
  state: 'paid',
  canceled: null,
  replaces: null,
  replacedBy: null,
  lines: [{ type: 'payment', at: '2026-11-20T12:00:00.000Z', amount: 10_000, paidBy: 'Card' }],
  refunds: [],
  refund: {
    most: 10_000,
    refusal: null,
    failed: 0,
    ifPart: 'The party keeps its 2 seats.',
    ifAll: 'The party loses its 2 seats, unless you let it keep them.',
    asksSeats: true,
    mayEnd: false,
  },
  mayCorrect: false,
  mayChange: true,
  version: 'v1',
}

test('the list shows sums and lines of the month, and asks for what the address says', async () => {
  const refund = { ...line, id: 'e2', type: 'refund', amount: -2_500 }
  api.current.on(LIST, month([line, refund], { refundsDue: 1 }))
  openConsole('/console/payments?month=2026-11&kind=seats&state=refunded&q=leela')
  await screen.findByRole('heading', { name: 'November 2026' })
  const table = await screen.findByRole('table', { name: 'Payments of November 2026' })
  within(table).getByText('Refund, Gala')
  within(table).getByText('-$25.00')
  screen.getByText('1 refund by hand is due', { exact: false })
  expect(screen.getByRole('link', { name: /^Seats ?2$/ }).getAttribute('aria-current')).toBe('page')
  expect(api.current.requestsTo(LIST).at(-1)?.query).toEqual({
    from: '2026-11-01',
    to: '2026-11-30',
    kind: 'seats',
    state: 'refunded',
    q: 'leela',
    sort: 'day',
    order: 'desc',
    page: '1',
    size: '25',
  })
})

test('one month’s figures never show under another month’s name', async () => {
  api.current.on(LIST, month([line]), 'no network', 'never')
  const person = openConsole('/console/payments?month=2026-10')
  await screen.findByText('Gala')
  await person.click(screen.getByRole('button', { name: 'Next: November 2026' }))
  await screen.findByRole('heading', { name: 'November 2026' })
  await screen.findByText(/We couldn’t reach the site/)
  expect(screen.queryByText('Gala')).toBeNull()
  expect(screen.queryByText('Received')).toBeNull()
})

test('a read-only role records and refunds nothing', async () => {
  api.current.on(LIST, month([line], { mayChange: false })).on(ONE, { body: { ...payment, mayChange: false } })
  openConsole('/console/payments?month=2026-11')
  const link = await screen.findByRole('link', { name: 'Leela Varghese' })
  expect(link.getAttribute('href')).toBe('/console/payments/seats/o1')
  expect(screen.queryByRole('link', { name: 'Record payment' })).toBeNull()
  openConsole('/console/payments/seats/o1')
  await screen.findByRole('heading', { name: '$100 from Leela Varghese' })
  expect(screen.queryByRole('button', { name: /Refund/ })).toBeNull()
})

test('a part or all of a payment is refunded; what happens then is said before, and an error keeps the input', async () => {
  const refunded = { ...payment, amountRefunded: 10_000, state: 'refunded', refund: { ...payment.refund, most: 0 } }
  api.current
    .on(ONE, { body: payment })
    .on(REFUND, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'), {
      body: refunded,
    })
  const person = openConsole('/console/payments/seats/o1')
  await person.click(await screen.findByRole('button', { name: 'Refund' }))
  const dialog = await screen.findByRole('dialog', { name: 'Refund Leela Varghese?' })
  within(dialog).getByText(/The party loses its 2 seats/)
  await person.click(within(dialog).getByLabelText('Keep the seats, free of charge'))
  within(dialog).getByText(/The party keeps its seats/)
  const amount = within(dialog).getByLabelText('Amount in dollars')
  await person.clear(amount)
  await person.type(amount, '120')
  within(dialog).getByText('Please enter an amount up to $100')
  await person.type(within(dialog).getByLabelText('Reason for the audit log'), 'Came alone')
  await person.click(within(dialog).getByRole('button', { name: 'Refund' }))
  await within(dialog).findByText('Please enter an amount up to $100.')
  expect(within(dialog).queryByText(/reach the site/)).toBeNull()
  await person.clear(amount)
  await person.type(amount, '25')
  within(dialog).getByText(/\$25 goes back to the card, which cannot be undone. The party keeps its 2 seats/)
  await person.click(within(dialog).getByRole('button', { name: 'Refund $25' }))
  await within(dialog).findByText('Someone else changed this in the meantime.')
  await person.click(within(dialog).getByRole('button', { name: 'Refund $25' }))
  await screen.findByText('Refunded', { selector: '.badge' })
  expect(api.current.requestsTo(REFUND).at(-1)?.body).toEqual({
    amount: 2_500,
    reason: 'Came alone',
    keepsSeats: true,
    endsMembership: false,
    version: 'v1',
  })
})
