import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { ConsoleMember } from '#contract/console/member.ts'
import type { MergePlan, MergeSide } from '#contract/console/merge.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { sampleMember } from '#tests/support/web/member-sample.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import MemberPage from '../member/member.tsx'
import MemberMergePage from './member-merge.tsx'

const api = useFakeApi()
const ONE = 'GET /api/console/members/m1'
const DUPLICATES = 'GET /api/console/members/m1/duplicates'
const MERGE = 'POST /api/console/members/m1/merge/m2'
const PLAN = 'GET /api/console/members/m1/merge/m2'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const member: ConsoleMember = {
  ...sampleMember,
  state: 'NONE',
  subscription: null,
  endsAt: null,
  version: 'none',
  payments: [],
  levels: [],
  mayDecide: false,
  mayChangeMoney: false,
}

const kept: MergeSide = {
  id: 'm1',
  email: 'meera@example.com',
  username: 'meera.r',
  name: { first: 'Meera', last: 'Rao' },
  state: 'ACTIVE',
  joinedAt: '2019-03-02T12:00:00.000Z',
  membership: 'Annual Member until March 2, 2027',
}
const plan: MergePlan = {
  kept,
  merged: {
    ...kept,
    id: 'm2',
    name: { first: 'Mira', last: 'Rao' },
    email: 'm.rao@example.com',
    username: 'm.rao',
    membership: 'none',
  },
  moves: ['3 payments, with their receipts', '1 RSVP'],
  notes: ['Its owner can no longer log in with it.'],
  obstacles: [],
  version: 'as read',
}
const duplicate = {
  id: 'm2',
  name: 'Meera Rao',
  email: 'm.rao@example.com',
  state: 'ACTIVE',
  joinedAt: '2024-03-02T12:00:00.000Z',
  reasons: ['the same NPI'],
}
const merge = {
  id: 'g1',
  isKept: true,
  other: { id: 'm2', name: 'Meera Rao', email: 'm.rao@example.com' },
  at: '2026-11-21T12:00:00.000Z',
  by: 'Asha Iyer',
  undoUntil: '2026-12-21T12:00:00.000Z',
  undoRefused: null,
  undoneAt: null,
  moved: ['3 payments, with their receipts'],
}
const Merging = () => <MemberMergePage id="m1" />
const Member = () => <MemberPage id="m1" />

async function compare() {
  api.current.on(ONE, { body: member }).on(DUPLICATES, { body: { duplicates: [duplicate] } })
  const page = renderPage(Merging, { at: '/console/members/m1/merge' })
  await screen.findByText(/the same NPI/)
  await page.person.click(screen.getByRole('button', { name: /^Compare with Meera Rao/ }))
  return page
}

test('the likely one is suggested with why, compared side by side, and merged with what was chosen', async () => {
  api.current.on(PLAN, { body: plan }).on(MERGE, { body: { ...member, merges: [merge] } })
  const { person } = await compare()
  await screen.findByText('3 payments, with their receipts')
  await person.click(screen.getByRole('radio', { name: 'Mira Rao' }))
  expect(screen.getAllByRole('radio')).toHaveLength(2)
  await person.click(await screen.findByRole('button', { name: 'Merge accounts' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText(/The member logs in with meera@example.com/)
  await person.type(within(dialog).getByLabelText('Reason for the audit log'), 'Joined twice')
  await person.click(within(dialog).getByRole('button', { name: 'Merge' }))
  await waitFor(() =>
    expect(api.current.requestsTo(MERGE)[0]?.body).toEqual({
      choices: { name: 'merged' },
      reason: 'Joined twice',
      version: 'as read',
    }),
  )
})

test('obstacles are shown and disable the merge; the search finds other accounts', async () => {
  const obstacle = 'Both accounts have a subscription at the card provider. Stop one of them.'
  api.current.on(PLAN, { body: { ...plan, obstacles: [obstacle] } })
  const { person } = await compare()
  await screen.findByText(obstacle)
  expect(screen.queryByRole('button', { name: 'Merge accounts' })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Choose another account' }))
  api.current.on(DUPLICATES, { body: { duplicates: [] } })
  await person.type(await screen.findByLabelText(/^Search by name/), '1234567893')
  await screen.findByText('No matching accounts.')
  expect(api.current.requestsTo(DUPLICATES).at(-1)?.query).toEqual({ q: '1234567893' })
})

test('a merge is undone from the page, saying what goes back; a refusal keeps the reason', async () => {
  const undo = 'POST /api/console/members/m1/merges/g1/undo'
  const sentence = 'It can no longer be undone exactly: the membership has changed since.'
  api.current.on(ONE, { body: { ...member, merges: [merge] } })
  api.current.on(undo, errorResponse(409, 'UNDO_REFUSED', sentence), {
    body: { ...member, merges: [{ ...merge, undoUntil: null, undoneAt: '2026-11-22T12:00:00.000Z' }] },
  })
  const { person } = renderPage(Member, { at: '/console/members/m1?tab=profile' })
  await person.click(await screen.findByRole('button', { name: 'Undo the merge with m.rao@example.com' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText(/these move back: 3 payments/)
  const reason = within(dialog).getByLabelText<HTMLInputElement>('Reason for the audit log')
  await person.type(reason, 'Two people')
  await person.click(within(dialog).getByRole('button', { name: 'Undo the merge' }))
  await within(dialog).findByText(sentence)
  expect(reason.value).toBe('Two people')
  await person.click(within(dialog).getByRole('button', { name: 'Undo the merge' }))
  await screen.findByText(/undone November 22, 2026/)
})

test('an account that was merged says where it went, and is not enabled; why it cannot be undone is said', async () => {
  const sentence = 'It can no longer be undone exactly: an RSVP has changed since.'
  const into = { ...merge, isKept: false, undoRefused: sentence }
  api.current.on(ONE, { body: { ...member, state: 'DISABLED', merges: [into] } })
  renderPage(Member, { at: '/console/members/m1?tab=profile' })
  await screen.findByText('This account was merged')
  screen.getByText(sentence)
  expect(screen.queryByRole('button', { name: 'Enable account' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Merge accounts' })).toBeNull()
})
