import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { ConsoleMember } from '#contract/console/member.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { annual, renderPage, student, subscriptionTo } from '#tests/support/web/page-test-helpers.tsx'
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

test('a payment of dues is recorded in the form for all payments, with the member filled in', async () => {
  api.current.on(ONE, { body: member })
  renderPage(Member, { at: '/console/members/m1' })
  const link = await screen.findByRole('link', { name: 'Record payment' })
  const url = new URL(link.getAttribute('href') ?? '', 'https://example.org')
  expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
    '/console/payments/new',
    { email: member.email, name: 'Meera Rao', level: 'annual_member' },
  ])
})

test('a refund shows its effects, requires a reason and reports conflicts', async () => {
  const REFUND = 'POST /api/console/members/m1/payments/p1/refund'
  const sentence = 'Someone else changed this in the meantime.'
  api.current.on(ONE, { body: member }).on(REFUND, errorResponse(409, 'CHANGED_MEANWHILE', sentence))
  const { person } = renderPage(Member, { at: '/console/members/m1?tab=payments' })
  await person.click(await screen.findByRole('button', { name: 'Refund R-2026-ABC' }))
  await screen.findByText(/The membership depends on this payment and ends immediately/)
  await person.type(screen.getByLabelText('Reason for the audit log'), 'Paid twice')
  await person.click(screen.getByRole('button', { name: 'Refund' }))
  await screen.findByText(sentence)
  expect(api.current.requestsTo(REFUND)[0]?.body).toEqual({ reason: 'Paid twice' })
})

test('after a conflict the newer version is shown, and the second attempt overwrites it', async () => {
  const EDIT = 'PUT /api/console/members/m1/profile'
  const sentence = 'Someone else changed this in the meantime.'
  const theirs: ConsoleMember = {
    ...member,
    username: 'meera.rao',
    name: { first: 'Mira', last: 'Rao' },
    state: 'ACTIVE',
    endsAt: '2031-03-02T15:00:00.000Z',
    version: 'theirs',
  }
  api.current.on(ONE, { body: theirs })
  const { person } = renderPage(Member, { at: '/console/members/m1' })
  await screen.findByRole('button', { name: 'Edit' })

  api.current
    .on(ONE, { body: { ...theirs, username: 'mira', name: { first: 'Meira', last: 'Rao' } } })
    .on(EDIT, errorResponse(409, 'CHANGED_MEANWHILE', sentence), { body: theirs })
  await person.click(screen.getByRole('button', { name: 'Edit' }))
  await person.type(await screen.findByLabelText('First name'), ' K.')
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(sentence)
  within(await screen.findByRole('group', { name: 'Newer version' })).getByText('Meira')
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByLabelText('First name')).toBeNull())
  expect(api.current.requestsTo(EDIT)[1]?.body).toEqual({
    firstName: 'Mira K.',
    lastName: 'Rao',
    username: 'mira',
    seen: { firstName: 'Meira', lastName: 'Rao', username: 'mira' },
  })
})

test('a profile draft does not overwrite what another officer saved since', async () => {
  const EDIT = 'PUT /api/console/members/m1/profile'
  api.current.on(ONE, { body: member })
  const first = renderPage(Member, { at: '/console/members/m1' })
  await first.person.click(await screen.findByRole('button', { name: 'Edit' }))
  await first.person.type(await screen.findByLabelText('First name'), ' K.')
  await first.person.keyboard('{Escape}')
  first.unmount()

  const theirs = { ...member, username: 'meera.rao', name: { first: 'Mira', last: 'Rao' } }
  api.current.on(ONE, { body: theirs }).on(EDIT, { body: theirs })
  const { person } = renderPage(Member, { at: '/console/members/m1' })
  await person.click(await screen.findByRole('button', { name: 'Edit' }))
  expect((await screen.findByLabelText<HTMLInputElement>('First name')).value).toBe('Meera K.')
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('meera.rao')
  within(screen.getByRole('group', { name: 'Newer version' })).getByText('Mira')
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByLabelText('First name')).toBeNull())
  expect(api.current.requestsTo(EDIT)[0]?.body).toEqual({
    firstName: 'Meera K.',
    lastName: 'Rao',
    username: 'meera.rao',
    seen: { firstName: 'Mira', lastName: 'Rao', username: 'meera.rao' },
  })
})

test('a term draft follows what another officer granted since', async () => {
  const TERM = 'POST /api/console/members/m1/term'
  const levels = [...member.levels, { key: student.key, name: student.name, isLifetime: false, unitAmount: 0 }]
  const mine = { ...member, levels }
  const theirs: ConsoleMember = {
    ...mine,
    subscription: subscriptionTo(student),
    state: 'ACTIVE',
    endsAt: '2031-03-02T15:00:00.000Z',
    version: 'theirs',
  }
  const openTerm = async () => {
    const view = renderPage(Member, { at: '/console/members/m1' })
    await view.person.click(await screen.findByRole('button', { name: 'Grant complimentary term' }))
    await screen.findByLabelText('Last day')
    return view
  }
  api.current.on(ONE, { body: mine })
  const first = await openTerm()
  await first.person.type(screen.getByLabelText('Reason for the audit log'), 'Speaker')
  await first.person.keyboard('{Escape}')
  first.unmount()

  api.current.on(ONE, { body: theirs })
  const again = await openTerm()
  expect(screen.getByLabelText('Level')).toHaveProperty('value', student.key)
  expect(screen.getByLabelText('Last day')).toHaveProperty('value', '2031-03-02')
  expect(screen.getByLabelText('Reason for the audit log')).toHaveProperty('value', 'Speaker')
  await again.person.clear(screen.getByLabelText('Last day'))
  await again.person.type(screen.getByLabelText('Last day'), '2032-06-30')
  again.unmount()

  const latest = { ...theirs, subscription: subscriptionTo(annual), endsAt: '2033-03-02T15:00:00.000Z' }
  api.current.on(ONE, { body: latest })
  const { person } = await openTerm()
  expect(screen.getByLabelText('Last day')).toHaveProperty('value', '2032-06-30')
  within(screen.getByRole('group', { name: 'Newer version' })).getByText('2033-03-02')

  // While it is open, the untouched level follows the saved one; the edited date does not.
  api.current
    .on(ONE, { body: { ...theirs, version: 'last' } })
    .on(TERM, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'), { body: latest })
  await person.click(screen.getByRole('button', { name: 'Save term' }))
  await waitFor(() => expect(screen.getByLabelText('Level')).toHaveProperty('value', student.key))
  await person.click(screen.getByRole('button', { name: 'Save term' }))
  await waitFor(() => expect(screen.queryByLabelText('Last day')).toBeNull())
  expect(api.current.requestsTo(TERM)[1]?.body).toEqual({
    levelKey: student.key,
    endsOn: '2032-06-30',
    reason: 'Speaker',
    version: 'last',
  })
})

test('a read-only role has no buttons', async () => {
  const credentials = [
    {
      id: 'c1',
      kind: 'licence' as const,
      npi: '1234567893',
      licenceState: 'GA',
      place: null,
      endsOn: null,
      givenAt: '2026-03-02T12:00:00.000Z',
      status: 'waiting' as const,
      decidedAt: null,
      decidedBy: null,
      evidence: null,
    },
  ]
  const seen = { ...member, credentials, mayChange: false, mayViewAs: false, mayDecide: false, mayChangeMoney: false }
  api.current.on(ONE, { body: seen })
  api.current.on('GET /api/console/members/m1/state', {
    body: { ...personStateSample, mayReport: false, mayDecide: false },
  })
  renderPage(Member, { at: '/console/members/m1' })
  await screen.findByText(/^NPI 1234567893/)
  expect(screen.queryByRole('link', { name: 'Review' })).toBeNull()
  const buttons = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent)
  expect(buttons).toEqual(['More actions for Meera Rao', 'All', 'Payments', 'Emails', 'Notes'])
})

test('a complimentary term says that no email goes out only where the running term moves; another level brings a welcome email', async () => {
  const levels = [
    ...member.levels,
    { key: 'medical_student', name: 'Medical Student', isLifetime: false, unitAmount: 0 },
  ]
  const running = subscriptionTo(annual, { status: 'ACTIVE', renewal: 'by-hand' })
  const held = { ...member, state: 'ACTIVE' as const, subscription: running, levels }
  api.current.on(ONE, { body: { ...held, movesTermOf: 'annual_member' } })
  const first = renderPage(Member, { at: '/console/members/m1' })
  await first.person.click(await screen.findByRole('button', { name: 'Grant complimentary term' }))
  await screen.findByText(/continues until this day. No email is sent/)
  await first.person.selectOptions(screen.getByLabelText('Level'), 'medical_student')
  await screen.findByText(/replaces Annual Member. The member gets a welcome email/)
  expect(screen.queryByText(/No email is sent/)).toBeNull()
  first.unmount()

  // A subscription that was stopped runs still, but a term beside it is another membership.
  localStorage.clear()
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on(ONE, { body: held })
  const { person } = renderPage(Member, { at: '/console/members/m1' })
  await person.click(await screen.findByRole('button', { name: 'Grant complimentary term' }))
  await screen.findByText(/The member gets a welcome email/)
})

test('stopping a renewal that is owed says that the membership ends at once', async () => {
  const owing = subscriptionTo(annual, { status: 'PAST_DUE', renewal: 'automatic' })
  api.current.on(ONE, { body: { ...member, state: 'PAST_DUE', subscription: owing, hasSubscription: true } })
  const { person } = renderPage(Member, { at: '/console/members/m1' })
  await person.click(await screen.findByRole('button', { name: 'Stop renewal' }))
  await screen.findByText(/The membership ends immediately. The member gets an email/)
})

const entry = {
  id: 'note:n1',
  at: '2026-11-18T19:30:00.000Z',
  kind: 'note' as const,
  text: { before: 'Note by Nachiket Joshi', name: '', after: '', path: null },
  detail: null,
  state: null,
  failedEmail: null,
  receipt: null,
  changes: [],
  note: {
    id: 'n1',
    kind: 'note' as const,
    text: 'Needs receipts for her practice.',
    by: 'Nachiket Joshi',
    at: '2026-11-18T19:30:00.000Z',
    editedAt: null,
    version: 1,
    mayEdit: true,
    mayDelete: true,
  },
}
const bounce = {
  ...entry,
  id: 'email:e1',
  kind: 'email' as const,
  text: { before: 'Email “Receipt”', name: '', after: '', path: null },
  state: 'bounced' as const,
  detail: 'mail refused 550',
  failedEmail: 'e1',
  note: null,
}

test('the timeline is filtered in the address, goes on with earlier entries, and retries an email', async () => {
  const TIMELINE = 'GET /api/console/members/m1/timeline'
  const AGAIN = 'POST /api/console/members/m1/letters/e1/send'
  api.current
    .on(ONE, { body: member })
    .on(TIMELINE, { body: { entries: [entry], next: '5~note:n1' } }, { body: { entries: [bounce], next: null } })
    .on(AGAIN, { body: member })
  const { person } = renderPage(Member, { at: '/console/members/m1' })
  await screen.findByText('November 18, 2026')
  screen.getByText('Needs receipts for her practice.')
  await person.click(screen.getByRole('button', { name: 'Show earlier' }))
  await screen.findByText('Bounced')
  expect(api.current.requestsTo(TIMELINE).at(-1)?.query).toEqual({ show: 'all', before: '5~note:n1' })
  expect(screen.queryByRole('button', { name: 'Show earlier' })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('The email is being sent again.')
  await person.click(screen.getByRole('button', { name: 'Emails' }))
  await waitFor(() => expect(api.current.requestsTo(TIMELINE).at(-1)?.query).toEqual({ show: 'emails' }))
})

test('notes are added, edited and deleted; what is typed survives a lost network', async () => {
  const NOTES = 'POST /api/console/members/m1/notes'
  api.current
    .on(ONE, { body: member })
    .on('GET /api/console/members/m1/timeline', { body: { entries: [entry], next: null } })
    .on(NOTES, 'no network', { status: 201, body: entry.note })
    .on('PUT /api/console/members/m1/notes/n1', { body: entry.note })
    .on('DELETE /api/console/members/m1/notes/n1', 'no network', { body: entry.note })
  const { person } = renderPage(Member, { at: '/console/members/m1?show=notes' })
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Add a note')
  screen.getByText(/The member can ask to read it|member can ask to read it/)
  await person.type(field, 'Called back')
  await person.click(screen.getByRole('checkbox', { name: 'This was a phone call' }))
  await person.click(screen.getByRole('button', { name: 'Add note' }))
  await screen.findByText(/your input is kept/)
  await person.click(screen.getByRole('button', { name: 'Add note' }))
  await waitFor(() => expect(field.value).toBe(''))
  expect(api.current.requestsTo(NOTES)[1]?.body).toEqual({ kind: 'call', text: 'Called back' })

  const quote = within(screen.getByText('Needs receipts for her practice.'))
  await person.click(quote.getByRole('button', { name: 'Edit' }))
  await person.type(await screen.findByLabelText('Note'), ' Sent.')
  await person.click(screen.getByRole('button', { name: 'Save note' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save note' })).toBeNull())
  expect(api.current.requestsTo('PUT /api/console/members/m1/notes/n1')[0]?.body).toEqual({
    text: 'Needs receipts for her practice. Sent.',
    version: 1,
  })
  await person.click(screen.getByRole('button', { name: 'Delete' }))
  await screen.findByText(/^We couldn’t reach the site/)
  await person.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(api.current.requestsTo('DELETE /api/console/members/m1/notes/n1')).toHaveLength(2))
})
