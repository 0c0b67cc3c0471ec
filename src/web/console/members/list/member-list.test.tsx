import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ListedMember } from '#contract/console/member-list.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import MembersPage from './member-list.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/members'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const listed: ListedMember = {
  id: 'm1',
  firstName: 'Meera',
  lastName: 'Rao',
  email: 'meera@example.com',
  username: 'meera.r',
  state: 'PAST_DUE',
  level: 'annual_member',
  joinedAt: '2019-03-02T12:00:00.000Z',
  startedAt: '2026-03-02T12:00:00.000Z',
  endsAt: '2027-03-02T12:00:00.000Z',
  renewal: 'card',
  credentials: 'waiting',
  lastPayment: { at: '2026-03-02T12:00:00.000Z', amount: 10_000, currency: 'usd' },
}
const specialty = {
  key: 'specialty',
  label: 'Specialty',
  hint: null,
  kind: 'choice',
  choices: ['Cardiology', 'Pain, Acute'],
  levels: [],
  asked: 'joining',
  widest: 'members',
  isRequired: false,
}
const city = { ...specialty, key: 'city', label: 'City', kind: 'line', choices: [] }
const levels = [{ key: 'annual_member', name: 'Annual Member' }]
const answer = (
  members: ListedMember[],
  total = members.length,
  suggestions: { id: string; firstName: string; lastName: string }[] = [],
) => ({
  body: { members, total, suggestions, levels, fields: [specialty, city], mayExport: true, mayLookAtMoney: true },
})

const counts = {
  status: { PAST_DUE: 4, ACTIVE: 107 },
  level: { annual_member: 60 },
  credentials: {},
  renewal: {},
  ending: { 7: 1, 30: 2, 60: 21, 90: 30 },
  views: { '': 141, 'status=ACTIVE': 107 },
}
const last = () => api.current.requestsTo(LIST).at(-1)?.query
const search = () => screen.findByLabelText<HTMLInputElement>(/^Name, email/)

beforeEach(() => {
  api.current
    .on('GET /api/console/views', { body: { views: [] } })
    .on('GET /api/console/members/counts', { body: counts })
})

describe('the list of members', () => {
  test('has its search, filters, order and page in the address, and counts on tabs and filters', async () => {
    api.current.on(LIST, answer([listed], 120))
    const { person } = renderPage(MembersPage, { at: '/console/members?status=PAST_DUE&ending=45&page=2' })
    const row = (await screen.findByRole('rowheader', { name: /^Rao, Meera/ })).closest('tr') as HTMLElement
    within(row).getByText('Payment failed')
    within(row).getByText('Mar 2, 2027')
    within(row).getByText('Auto-renew')
    screen.getByText('26–50 of 120')
    expect(last()).toEqual({ status: 'PAST_DUE', ending: '45', page: '2', size: '25' })
    expect((await screen.findByRole('link', { name: /^Active/ })).textContent).toBe('Active107')

    await person.click(within(screen.getByRole('group', { name: 'Filters' })).getByRole('button', { name: 'Level' }))
    await person.click(await screen.findByRole('checkbox', { name: /^Annual Member/ }))
    await waitFor(() =>
      expect(last()).toEqual({ status: 'PAST_DUE', ending: '45', level: 'annual_member', page: '1', size: '25' }),
    )
    await person.type(await search(), 'rao')
    await waitFor(() => expect(last()).toMatchObject({ q: 'rao', level: 'annual_member' }))
  })

  test('filters and shows fields of the member record', async () => {
    api.current.on(LIST, answer([{ ...listed, record: { 'field:specialty': 'Cardiology' } }]))
    const { person } = renderPage(MembersPage, { at: '/console/members' })
    await person.click(await screen.findByText('More filters'))
    const fields = screen.getByRole('group', { name: 'Filters by member fields' })
    await person.click(within(fields).getByRole('button', { name: 'Specialty' }))
    await person.click(await screen.findByRole('checkbox', { name: 'Pain, Acute' }))
    await person.click(await screen.findByRole('checkbox', { name: 'Not entered' }))
    await waitFor(() => expect(last()).toMatchObject({ record: 'specialty=Pain%2C+Acute&specialty=' }))

    await person.click(within(fields).getByRole('button', { name: 'City' }))
    await person.type(await screen.findByRole('textbox', { name: 'City' }), 'Macon{Enter}')
    await waitFor(() => expect(last()).toMatchObject({ record: 'city=Macon&specialty=Pain%2C+Acute&specialty=' }))
    await person.click(screen.getByRole('button', { name: 'Remove filter Specialty' }))
    await waitFor(() => expect(last()).toMatchObject({ record: 'city=Macon' }))

    await person.click(screen.getByRole('button', { name: 'Columns' }))
    await person.click(await screen.findByRole('checkbox', { name: 'Specialty' }))
    await screen.findByRole('columnheader', { name: 'Specialty' })
    screen.getByText('Cardiology')
    expect(last()).toMatchObject({ fields: 'field:specialty' })
  })

  test('saves a view for one officer or for all, and deletes it with an undo', async () => {
    const view = { id: 'v', name: 'Rao', query: 'q=rao', isShared: true, by: null, mayDelete: true }
    api.current
      .on(LIST, answer([listed]))
      .on('POST /api/console/views', { status: 201, body: { views: [view] } })
      .on('DELETE /api/console/views/v', { body: { views: [] } })
    const { person } = renderPage(MembersPage, { at: '/console/members?q=rao' })
    await person.click(await screen.findByRole('button', { name: 'Save view' }))
    await person.type(await screen.findByLabelText('Name of the view'), 'Rao')
    await person.click(screen.getByRole('checkbox', { name: 'Share with all officers' }))
    await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save view' }))
    await screen.findByRole('link', { name: 'Rao' })
    const body = { list: 'members', name: 'Rao', query: 'q=rao', isShared: true }
    expect(api.current.requestsTo('POST /api/console/views')[0]?.body).toEqual(body)
    expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull()
    await person.click(screen.getByRole('button', { name: 'Delete view' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Rao' })).toBeNull())
  })

  test('says when no members match, and when the list cannot be loaded', async () => {
    api.current.on(LIST, 'no network', answer([]), answer([listed]))
    const { person } = renderPage(MembersPage, { at: '/console/members?q=zz' })
    await screen.findByText(/We couldn’t reach the site/)
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('No members match these filters.')
    await person.click(screen.getByRole('button', { name: 'Clear filters' }))
    await screen.findByRole('rowheader', { name: /^Rao, Meera/ })
    expect((await search()).value).toBe('')
  })

  test('suggests similar names when no members match', async () => {
    api.current.on(LIST, answer([], 0, [{ id: 'm1', firstName: 'Meera', lastName: 'Raghuvanshi' }]))
    renderPage(MembersPage, { at: '/console/members?q=raghuvamshi' })
    await screen.findByText(/Did you mean/)
    expect(screen.getByRole('link', { name: 'Raghuvanshi, Meera' }).getAttribute('href')).toBe('/console/members/m1')
  })

  test('exports what is shown, or the selected members', async () => {
    const EXPORT = 'GET /api/console/members/export'
    const SELECTED = 'POST /api/console/members/export'
    const file = { body: new Blob(['x']) as unknown as object }
    api.current
      .on(LIST, answer([listed]))
      .on(EXPORT, file)
      .on(SELECTED, file)
    const { person } = renderPage(MembersPage, {
      at: '/console/members?status=PAST_DUE&columns=email,status&sort=joined',
    })
    await person.click(await screen.findByRole('button', { name: 'Export' }))
    await waitFor(() => expect(api.current.requestsTo(EXPORT)).toHaveLength(1))
    expect(api.current.requestsTo(EXPORT)[0]?.query).toEqual({
      status: 'PAST_DUE',
      columns: 'email,status',
      order: 'joined',
    })
    await person.click(screen.getByRole('checkbox', { name: 'Select Rao, Meera' }))
    const bar = within(screen.getByRole('region', { name: 'Selected rows' }))
    await person.click(bar.getByRole('button', { name: 'Export' }))
    await waitFor(() => expect(api.current.requestsTo(SELECTED)).toHaveLength(1))
    expect(api.current.requestsTo(SELECTED)[0]?.body).toEqual({
      ids: ['m1'],
      columns: 'email,status',
      order: 'joined',
    })
  })
})

describe('an action on the selected members', () => {
  const PREVIEW = 'POST /api/console/member-actions/preview'
  const START = 'POST /api/console/member-actions'
  const run = {
    id: 'r1',
    action: 'note',
    state: 'done',
    total: 2,
    done: 1,
    waiting: 0,
    skipped: [{ reason: 'your own account', count: 1, names: ['Nandini Sen-Ravi'] }],
    startedAt: '2026-11-24T12:00:00.000Z',
    finishedAt: '2026-11-24T12:00:01.000Z',
    undoUntil: '2040-01-01T00:00:00.000Z',
  }

  test('is previewed with the skipped ones, reports what it did, and is undone', async () => {
    const skipped = run.skipped
    api.current
      .on(LIST, answer([listed]))
      .on(PREVIEW, { body: { total: 2, reached: 1, skipped } })
      .on(START, { status: 201, body: { ...run, state: 'running' } })
      .on('GET /api/console/member-actions/r1', { body: run })
      .on('POST /api/console/member-actions/r1/undo', { body: { ...run, state: 'undone', undoUntil: null } })
    const { person } = renderPage(MembersPage, { at: '/console/members' })
    await person.click(await screen.findByRole('checkbox', { name: 'Select Rao, Meera' }))
    await person.click(screen.getByRole('button', { name: 'Add note' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add note' }))
    await dialog.findByText('A note is added to 1 member.')
    dialog.getByText('1 skipped: your own account (Nandini Sen-Ravi)')
    await person.type(dialog.getByLabelText('Note'), 'Volunteered')
    await person.click(dialog.getByRole('button', { name: 'Add 1 notes' }))
    await screen.findByText('1 done.')
    expect(api.current.requestsTo(START)[0]?.body).toEqual({
      action: 'note',
      selection: { ids: ['m1'] },
      details: { text: 'Volunteered' },
      reached: 1,
    })
    await person.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText('Undone.')
  })
})
