import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Approval } from '#contract/console/approvals.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import ApprovalsPage from './approvals.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/approvals'
const APPROVE = 'POST /api/console/approvals/r1/approve'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const request: Approval = {
  id: 'r1',
  act: 'member.end',
  state: 'waiting',
  title: 'End the account of Meera Rao, who died',
  sentences: ['Meera Rao is signed out everywhere.', 'The role of Treasurer ends at once.'],
  subject: { id: 'm1', name: 'Meera Rao' },
  reason: 'Told by the family',
  askedBy: 'Asha Iyer',
  askedAt: '2026-11-02T12:00:00.000Z',
  expiresAt: '2026-11-09T12:00:00.000Z',
  decidedBy: null,
  decidedAt: null,
  note: null,
  mayApprove: true,
  mayDecline: true,
  mayWithdraw: false,
  version: 'as read',
}
const decided = (state: 'approved' | 'declined', given = {}): { approvals: Approval[] } => ({
  approvals: [{ ...request, state, sentences: [], mayApprove: false, mayDecline: false, ...given }],
})
const render = () => renderPage(ApprovalsPage, { at: '/console/approvals' })

test('the consequences are shown before approval, and the reviewed version is sent', async () => {
  api.current.on(LIST, { body: { approvals: [request] } }).on(APPROVE, { body: decided('approved') })
  const { person } = render()
  await person.click(await screen.findByRole('button', { name: 'Approve' }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('The role of Treasurer ends at once.')
  await person.click(dialog.getByRole('button', { name: 'Approve' }))
  await screen.findByText('Approved: End the account of Meera Rao, who died.')
  screen.getByText('Decided in the last 30 days')
  expect(api.current.requestsTo(APPROVE)[0]?.body).toEqual({ version: 'as read' })
})

test('a request decided by another officer meanwhile is reloaded with an error message', async () => {
  const sentence = 'This request has already been decided or withdrawn, or it has expired.'
  api.current
    .on(LIST, { body: { approvals: [request] } }, { body: decided('declined', { note: 'Not so' }) })
    .on(APPROVE, errorResponse(409, 'APPROVAL_CLOSED', sentence))
  const { person } = render()
  await person.click(await screen.findByRole('button', { name: 'Approve' }))
  await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Approve' }))
  await screen.findByText(sentence)
  await screen.findByText('Declined')
  screen.getByText(/Not so/)
})

test('declining wants a reason; one’s own request is only withdrawn', async () => {
  const DECLINE = 'POST /api/console/approvals/r1/decline'
  const WITHDRAW = 'POST /api/console/approvals/r2/withdraw'
  const mine = { ...request, id: 'r2', title: 'Change email address of Ravi Rao', mayApprove: false }
  const own = { ...mine, mayDecline: false, mayWithdraw: true }
  api.current
    .on(LIST, { body: { approvals: [request, own] } })
    .on(DECLINE, { body: { approvals: [own] } })
    .on(WITHDRAW, { body: { approvals: [] } })
  const { person } = render()
  await screen.findByText('You made this request, so another officer has to approve it.')
  await person.click(screen.getByRole('button', { name: 'Decline' }))
  await person.type(await screen.findByLabelText('Reason for the audit log'), 'She is well')
  await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Decline' }))
  await screen.findByText(/The request was declined/)
  expect(api.current.requestsTo(DECLINE)[0]?.body).toEqual({ reason: 'She is well' })
  await person.click(screen.getByRole('button', { name: 'Withdraw' }))
  await screen.findByText('The request was withdrawn.')
  screen.getByText('No requests are waiting for a decision.')
})
