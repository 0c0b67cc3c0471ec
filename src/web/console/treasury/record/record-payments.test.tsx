import { cleanup, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

const api = useConsoleApi()
const CHOICES = 'GET /api/console/payment-choices'
const PAYERS = 'GET /api/console/payment-choices/payers'
const CHECK = 'POST /api/console/payments/check'
const RECORD = 'POST /api/console/payments/record'

const choices = {
  levels: [{ key: 'annual_member', name: 'Annual Member', price: 10_000 }],
  events: [{ id: 'gala', title: 'Gala', day: '2026-12-05', price: 12_000, memberPrice: 10_000 }],
  tiers: [{ name: 'Gold', price: 200_000 }],
  today: '2026-11-26',
}
const meera = {
  accountId: 'm1',
  name: 'Meera Rao',
  email: 'meera@example.com',
  levelKey: 'annual_member',
  level: 'Annual Member',
}
const good = {
  memberLevel: null,
  faults: [],
  payer: 'Meera Rao',
  amount: 10_000,
  price: 10_000,
  sentences: ['Extends Annual Member until June 30, 2028.'],
}

const checked = (...verdicts: object[]) => ({ body: { verdicts, total: verdicts.length * 10_000, version: 'v1' } })

function serve(...answers: object[]) {
  api.current
    .on(CHOICES, { body: choices })
    .on(PAYERS, { body: { payers: [meera] } })
    .on(CHECK, ...(answers.length === 0 ? [checked(good)] : answers))
}

test('a check for dues: the member is found by name, level and price are filled in, and the verdict is shown before', async () => {
  serve()
  api.current.on(RECORD, { body: { receipts: [{ kind: 'dues', id: 'p9', receiptNumber: 'R-2026-NEW' }] } })
  const person = openConsole('/console/payments/new')
  await person.type(await screen.findByLabelText('Member'), 'Meera')
  await waitFor(() => expect(document.querySelector('datalist option')).not.toBeNull())
  await person.clear(screen.getByLabelText('Member'))
  await person.type(screen.getByLabelText('Member'), meera.email)
  expect(screen.getByLabelText<HTMLSelectElement>('Level').value).toBe('annual_member')
  expect(screen.getByLabelText<HTMLInputElement>('Amount in dollars').value).toBe('100')
  await person.type(screen.getByLabelText('Check number or reference'), '2093')
  await screen.findByText(/Extends Annual Member until June 30, 2028/)
  await person.click(await screen.findByRole('button', { name: 'Record $100' }))
  await waitFor(() => expect(api.current.requestsTo(RECORD)).toHaveLength(1))
  const sent = api.current.requestsTo(RECORD).at(-1)?.body as { rows: object[]; version: string; key: string }
  expect(sent).toMatchObject({
    version: 'v1',
    rows: [
      {
        kind: 'dues',
        email: meera.email,
        levelKey: 'annual_member',
        reference: '2093',
        amount: '100',
        paidOn: '2026-11-26',
        method: 'cheque',
      },
    ],
  })
  expect(sent.key).toMatch(/^[\w-]{16,64}$/)
})

test('many payments are pasted and recorded together; one that needs a reason stops them', async () => {
  const faults = [{ field: 'note', message: 'Please say why the amount is not the price' }]
  serve(checked(good, { ...good, amount: 9_000, faults }))
  const receipts = [
    { kind: 'dues', id: 'p1', receiptNumber: 'R-1' },
    { kind: 'dues', id: 'p2', receiptNumber: 'R-2' },
  ]
  api.current.on(RECORD, { body: { receipts } })
  const person = openConsole('/console/payments/new?level=annual_member')
  await person.click(await screen.findByRole('button', { name: 'Paste from a spreadsheet' }))
  await person.click(await screen.findByLabelText('Rows'))
  await person.paste('meera@example.com\t100\t2093\ndev@example.com\t90\t2094')
  await person.click(screen.getByRole('button', { name: 'Add 2 payments' }))
  await screen.findByRole('heading', { name: 'Payment 2' })
  const why = await screen.findByLabelText('Why another amount than the price')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Record 2 payments/ }).disabled).toBe(true)
  api.current.on(CHECK, checked(good, { ...good, amount: 9_000 }))
  await person.type(why, 'Board')
  await person.click(await screen.findByRole('button', { name: 'Record 2 payments, $200' }))
  await waitFor(() => expect(api.current.requestsTo(RECORD)).toHaveLength(1))
  expect((api.current.requestsTo(RECORD).at(0)?.body as { rows: object[] } | undefined)?.rows).toMatchObject([
    { email: 'meera@example.com', amount: '100', reference: '2093', levelKey: 'annual_member' },
    { email: 'dev@example.com', amount: '90', reference: '2094', note: 'Board' },
  ])
})

test('who is pasted pays for the level that they have, and what is missing is said', async () => {
  const faults = [{ field: 'levelKey', message: 'Please choose a level' }]
  serve(checked({ ...good, faults, memberLevel: 'annual_member' }, { ...good, faults, memberLevel: null }))
  const person = openConsole('/console/payments/new')
  await person.click(await screen.findByRole('button', { name: 'Paste from a spreadsheet' }))
  await person.click(await screen.findByLabelText('Rows'))
  await person.paste('meera@example.com\t100\t2093\t11/20/2026\ndev@example.com\t90\t2094')
  await person.click(screen.getByRole('button', { name: 'Add 2 payments' }))
  const levels = () => screen.getAllByLabelText<HTMLSelectElement>('Level').map(({ value }) => value)
  await waitFor(() => expect(levels()).toEqual(['annual_member', '']))
  expect(screen.getAllByText('Please choose a level').length).toBeGreaterThan(0)
  expect(screen.getAllByLabelText<HTMLInputElement>('Received on')[0]?.value).toBe('2026-11-20')
})

test('what was entered survives a closed tab', async () => {
  serve()
  const person = openConsole('/console/payments/new')
  await person.type(await screen.findByLabelText('Member'), 'someone@example.com')
  openConsole('/console/payments/new')
  await waitFor(() => expect(screen.getAllByText(/What you entered on your last visit/).length).toBeGreaterThan(0))
})

test('from a member’s page the member, the level and the amount are filled in, also when another payment was begun', async () => {
  serve()
  const begun = openConsole('/console/payments/new')
  await begun.type(await screen.findByLabelText('Member'), 'someone@example.com')
  cleanup()
  const given = new URLSearchParams({ email: meera.email, name: meera.name, level: 'annual_member' })
  const person = openConsole(`/console/payments/new?${given}`)
  expect((await screen.findByLabelText<HTMLInputElement>('Member')).value).toBe(meera.email)
  expect(screen.getByLabelText<HTMLSelectElement>('Level').value).toBe('annual_member')
  expect(screen.getByLabelText<HTMLInputElement>('Amount in dollars').value).toBe('100')
  await person.type(screen.getByLabelText('Check number or reference'), '2093')
  await screen.findByText(/Extends Annual Member until June 30, 2028/)
  cleanup()
  openConsole('/console/payments/new')
  expect((await screen.findByLabelText<HTMLInputElement>('Member')).value).toBe('someone@example.com')
})
