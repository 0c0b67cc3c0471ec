import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { ConsoleMember } from '#contract/console/member.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { memberDirectorySample, personStateSample, sampleMember } from '#tests/support/web/member-sample.ts'
import { annual, renderPage, subscriptionTo } from '#tests/support/web/page-test-helpers.tsx'
import MemberPage from './member.tsx'

const api = useFakeApi()
const ONE = 'GET /api/console/members/m1'
const EMAIL = 'POST /api/console/members/m1/email'
const PLAN = 'GET /api/console/members/m1/end'
const END = 'POST /api/console/members/m1/end'
beforeEach(() => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on('GET /api/console/members/m1/directory', { body: memberDirectorySample })
  api.current.on('GET /api/console/members/m1/state', { body: personStateSample })
  api.current.on('GET /api/console/members/m1/card', { body: { card: null, mayRevoke: false } })
  api.current.on('GET /api/console/members/m1/timeline', { body: { entries: [], next: null } })
  api.current.on('GET /api/console/members/m1/record', { body: { fields: [], version: 'v1', mayEdit: true } })
})

const member: ConsoleMember = {
  ...sampleMember,
  state: 'ACTIVE',
  subscription: subscriptionTo(annual),
  endsAt: '2027-03-02T12:00:00.000Z',
  hasSubscription: true,
  payments: [],
  mayViewAs: false,
}
const Member = () => <MemberPage id="m1" />
const open = () => renderPage(Member, { at: '/console/members/m1?tab=profile' })
const pending = {
  email: 'right@example.com',
  askedBy: 'Asha Iyer',
  askedAt: '2026-11-02T12:00:00.000Z',
  expiresAt: '2026-11-05T12:00:00.000Z',
  reason: 'Typing error',
}

test('a valid form requests a new email address, which is pending and can be withdrawn', async () => {
  const WITHDRAW = 'POST /api/console/members/m1/email/withdraw'
  api.current
    .on(ONE, { body: member })
    .on(EMAIL, { body: { ...member, emailChange: pending } })
    .on(WITHDRAW, { body: member })
  const { person } = open()
  // As an officer looks for it: where the profile is edited.
  await person.click(await screen.findByRole('button', { name: 'Edit' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit profile' }))
  await person.click(form.getByRole('button', { name: 'Change email address' }))
  await person.type(await screen.findByLabelText('New email address'), 'right@')
  await person.click(screen.getByRole('button', { name: 'Send confirmation email' }))
  const summary = await screen.findByText('2 things need another look')
  expect(summary).toBeTruthy()
  expect(api.current.requestsTo(EMAIL)).toEqual([])

  await person.type(screen.getByLabelText('New email address'), 'example.com')
  await person.type(screen.getByLabelText('Reason for the audit log'), 'Typing error')
  await person.click(screen.getByRole('button', { name: 'Send confirmation email' }))
  await screen.findByText('A new email address is waiting for confirmation')
  screen.getByText(/We’ve sent a confirmation email to right@example\.com/)
  expect(api.current.requestsTo(EMAIL)[0]?.body).toEqual({
    email: 'right@example.com',
    reason: 'Typing error',
    seen: 'meera@example.com',
  })
  await person.click(await screen.findByRole('button', { name: 'Withdraw change' }))
  await screen.findByText(/The change was withdrawn/)
  expect(screen.queryByText('A new email address is waiting for confirmation')).toBeNull()
})

test('a refusal stands under its field, and what was typed stays', async () => {
  const sentence = 'Zubin Mehta has an account with this address.'
  api.current.on(ONE, { body: member }).on(EMAIL, errorResponse(400, 'INVALID_INPUT', sentence, { email: sentence }))
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'Change email address' }))
  await person.type(await screen.findByLabelText('New email address'), 'zubin@example.com')
  await person.type(screen.getByLabelText('Reason for the audit log'), 'Asked by phone')
  await person.click(screen.getByRole('button', { name: 'Send confirmation email' }))
  await screen.findAllByText(sentence)
  expect(screen.getByLabelText('New email address')).toHaveProperty('value', 'zubin@example.com')
  expect(screen.getByLabelText('Reason for the audit log')).toHaveProperty('value', 'Asked by phone')
})

const planFor = (sentence: string, given = {}) => ({
  body: { sentences: [sentence], needsSecondOfficer: false, obstacle: null, version: `of ${sentence}`, ...given },
})

test('what ending the account does is said first, for each cause, and sent as it was read', async () => {
  api.current
    .on(ONE, { body: member })
    .on(PLAN, planFor('What is paid for runs out.'), planFor('The card is never charged again.'))
    .on(END, { body: { ...member, state: 'LEFT', ended: { as: 'deceased', at: '2026-11-02T12:00:00.000Z' } } })
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'End account' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('What is paid for runs out.')
  await person.selectOptions(dialog.getByLabelText('Why is the account ending?'), 'deceased')
  await dialog.findByText('The card is never charged again.')
  expect(dialog.queryByText('What is paid for runs out.')).toBeNull()
  await person.click(dialog.getByRole('button', { name: 'End account' }))
  await dialog.findAllByText('Please give a reason for the audit log')
  expect(api.current.requestsTo(END)).toEqual([])
  await person.type(dialog.getByLabelText('Reason for the audit log'), 'Told by the family')
  await person.click(dialog.getByRole('button', { name: 'End account' }))
  await screen.findByText(/An officer ended this account on November 2, 2026: deceased\./)
  expect(api.current.requestsTo(PLAN).map(({ query }) => query)).toEqual([
    { ending: 'request' },
    { ending: 'deceased' },
  ])
  expect(api.current.requestsTo(END)[0]?.body).toEqual({
    ending: 'deceased',
    reason: 'Told by the family',
    version: 'of The card is never charged again.',
  })
  expect(screen.queryByRole('button', { name: 'End account' })).toBeNull()
})

test('after a conflict the new consequences are shown before sending again', async () => {
  api.current
    .on(ONE, { body: member })
    .on(PLAN, planFor('Nothing is paid.'), planFor('A payment came in.'))
    .on(END, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'End account' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('Nothing is paid.')
  await person.type(dialog.getByLabelText('Reason for the audit log'), 'Asked in writing')
  await person.click(dialog.getByRole('button', { name: 'End account' }))
  await dialog.findByText('A payment came in.')
  dialog.getByText('Someone else changed this in the meantime.')
  await person.click(dialog.getByRole('button', { name: 'End account' }))
  await waitFor(() => expect(api.current.requestsTo(END)).toHaveLength(2))
  expect(api.current.requestsTo(END)[1]?.body).toMatchObject({ version: 'of A payment came in.' })
})

test('ending an officer’s account needs a second officer; obstacles are explained', async () => {
  const waits = { id: 'r1', title: 'End account of Meera Rao', askedBy: 'You', expiresAt: pending.expiresAt }
  api.current
    .on(ONE, { body: member })
    .on(
      PLAN,
      planFor('The role ends.', { needsSecondOfficer: true }),
      planFor('x', { obstacle: 'No other officer can approve this.' }),
    )
    .on(END, { body: { ...member, approvals: [{ ...waits, mayWithdraw: true }] } })
    .on('POST /api/console/approvals/r1/withdraw', { body: { approvals: [] } })
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'End account' }))
  await person.type(await screen.findByLabelText('Reason for the audit log'), 'Asked in writing')
  await person.click(await screen.findByRole('button', { name: 'Request approval' }))
  await screen.findByText('Waiting for a second officer')
  await person.click(await screen.findByRole('button', { name: 'End account' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('No other officer can approve this.')
  expect(dialog.queryByRole('button', { name: /^(End|Ask)/ })).toBeNull()
  await person.keyboard('{Escape}')
  await person.click(await screen.findByRole('button', { name: 'Withdraw request' }))
  await screen.findByText('The request was withdrawn.')
})

test('one’s own account is changed elsewhere', async () => {
  api.current.on(ONE, { body: { ...member, isOwn: true } })
  open()
  await screen.findByText(/This is your own account\./)
  expect(screen.queryByRole('button', { name: /Change the email|End the account/ })).toBeNull()
})
