import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { memberDirectorySample, personStateSample, sampleMember as member } from '#tests/support/web/member-sample.ts'
import MemberPage from './member.tsx'

const api = useFakeApi()
const ONE = 'GET /api/console/members/m1'
beforeEach(() => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on('GET /api/console/members/m1/directory', { body: memberDirectorySample })
  api.current.on('GET /api/console/members/m1/state', { body: personStateSample })
  api.current.on('GET /api/console/members/m1/card', { body: { card: null, mayRevoke: false } })
  api.current.on('GET /api/console/members/m1/timeline', { body: { entries: [], next: null } })
  api.current.on('GET /api/console/members/m1/record', { body: { fields: [], version: 'v1', mayEdit: true } })
})
const Member = () => <MemberPage id="m1" />

const check = {
  ...member.payments![0]!,
  id: 'p2',
  receiptNumber: 'R-2026-CHECK',
  byHand: 'Check 1042',
  refund: { amount: 0, refusal: 'This was paid by check or cash.' } as const,
}

test('a refund is offered only where it can work; elsewhere the page says why', async () => {
  const noCard = 'No card was charged for this payment, so there is nothing to refund.'
  const sample = { ...member.payments![0]!, refund: { amount: 0, refusal: noCard } }
  const credits = [{ amount: 8_000, receiptNumber: 'R-2026-LIFE' }]
  const credited = {
    ...sample,
    id: 'p3',
    receiptNumber: 'R-2026-OLD',
    refund: { amount: 2_000, refusal: null },
    credits,
  }
  api.current.on(ONE, { body: { ...member, payments: [sample, check, { ...credited, creditOwed: 500 }] } })
  const { person } = renderPage(Member, { at: '/console/members/m1?tab=payments' })
  await screen.findByText(noCard)
  expect(screen.queryByRole('button', { name: 'Refund R-2026-ABC' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Refund R-2026-CHECK' })).toBeNull()
  screen.getByText('$80 of it was credited to R-2026-LIFE.')
  screen.getByText('$5 owed')
  await person.click(screen.getByRole('button', { name: 'Refund R-2026-OLD' }))
  await screen.findByText(/^\$20 will be refunded to the card \(the rest of this payment\)/)
})

test('a recorded check is canceled with a reason once it is said what that does, and says so afterwards', async () => {
  const VOID = 'POST /api/console/members/m1/payments/p2/void'
  const voided = { at: '2026-11-23T12:00:00.000Z', reason: 'The bank returned it' }
  const ends = { endsAt: '2026-03-02T12:00:00.000Z' }
  api.current
    .on(ONE, { body: { ...member, payments: [{ ...check, ifReturned: ends }] } })
    .on(VOID, errorResponse(409, 'NOT_ALLOWED', 'Ask another officer to do this for your own account.'), {
      body: { ...member, payments: [{ ...check, voided }] },
    })
  const { person } = renderPage(Member, { at: '/console/members/m1?tab=payments' })
  await person.click(await screen.findByRole('button', { name: 'Cancel receipt R-2026-CHECK' }))
  await screen.findByText(
    /keeps its number and is marked as canceled. The membership was renewed by this payment: it ends on March 2, 2026 instead. The member is notified by email/,
  )
  await person.type(screen.getByLabelText('Reason for the audit log'), 'The bank returned it')
  await person.click(screen.getByRole('button', { name: 'Cancel receipt' }))
  await screen.findByText('Ask another officer to do this for your own account.')
  await person.click(screen.getByRole('button', { name: 'Cancel receipt' }))
  await screen.findByText('Canceled on November 23, 2026: The bank returned it')
  expect(api.current.requestsTo(VOID)[1]?.body).toEqual({ reason: 'The bank returned it', version: 'as read' })
  expect(screen.queryByRole('button', { name: /^Cancel receipt|^Correct/ })).toBeNull()
})

test('a correction begins with what was recorded and sends what was changed', async () => {
  const CORRECT = 'POST /api/console/members/m1/payments/p2/correct'
  const replaced = { ...check, voided: { at: '2026-11-23T12:00:00.000Z', reason: 'x' }, replacedBy: 'R-2026-NEW' }
  const replacement = { ...check, id: 'p9', receiptNumber: 'R-2026-NEW', replaces: 'R-2026-CHECK' }
  api.current
    .on(ONE, { body: { ...member, payments: [check] } })
    .on(CORRECT, { body: { ...member, payments: [replacement, replaced] } })
  const { person } = renderPage(Member, { at: '/console/members/m1?tab=payments' })
  await person.click(await screen.findByRole('button', { name: 'Correct R-2026-CHECK' }))
  const amount = await screen.findByLabelText('Amount ($)')
  expect(amount).toHaveProperty('value', '100')
  await person.clear(amount)
  await person.type(amount, '90.50')
  await person.type(screen.getByLabelText('Reason for the audit log'), 'Misread')
  screen.getByText(/a new one takes its place. The membership stays as it is. The member gets the new receipt/)
  await person.click(screen.getByRole('button', { name: 'Save correction' }))
  await screen.findByText(/Replaces R-2026-CHECK/)
  expect(api.current.requestsTo(CORRECT)[0]?.body).toEqual({
    levelKey: 'annual_member',
    method: 'cheque',
    reference: '1042',
    amount: '90.50',
    paidOn: '2025-03-02',
    reason: 'Misread',
    version: 'as read',
  })
})

test('a correction of a payment by Zelle stays one by Zelle', async () => {
  const CORRECT = 'POST /api/console/members/m1/payments/p2/correct'
  api.current
    .on(ONE, { body: { ...member, payments: [{ ...check, byHand: 'Zelle ZX9' }] } })
    .on(CORRECT, { body: member })
  const { person } = renderPage(Member, { at: '/console/members/m1?tab=payments' })
  await person.click(await screen.findByRole('button', { name: 'Correct R-2026-CHECK' }))
  expect(await screen.findByLabelText('Paid by')).toHaveProperty('value', 'zelle')
  await person.type(screen.getByLabelText('Reason for the audit log'), 'Misread')
  await person.click(screen.getByRole('button', { name: 'Save correction' }))
  await waitFor(() =>
    expect(api.current.requestsTo(CORRECT)[0]?.body).toMatchObject({ method: 'zelle', reference: 'ZX9' }),
  )
})
