import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ConsoleMember } from '#contract/console-member.ts'
import type { ListedMember } from '#contract/console-members.ts'
import { refusal, tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import { annual, renderPage, subscriptionTo } from '#web/pages/render-page.tsx'
import MemberPage from './member.tsx'
import MembersPage from './members.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/members'
const ONE = 'GET /api/console/members/m1'
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
  endsAt: '2027-03-02T12:00:00.000Z',
  credentials: 'waiting',
}
const levels = [{ key: 'annual_member', name: 'Annual Member' }]
const answer = (members: ListedMember[], total = members.length) => ({
  body: { members, total, levels, mayExport: true },
})

describe('the list of members', () => {
  beforeEach(() => api.current.on('GET /api/console/member-views', { body: { views: [] } }))

  test('opens as its address says, asks anew for each filter, and keeps a view under a name', async () => {
    api.current.on(LIST, answer([listed], 120))
    const { person } = renderPage(MembersPage, { at: '/console/members?status=PAST_DUE&ending=45&page=2' })
    const row = (await screen.findByRole('rowheader', { name: 'Rao, Meera' })).closest('tr') as HTMLElement
    within(row).getByText('Payment failed')
    within(row).getByText('March 2, 2027')
    screen.getByText('51 to 100 of 120')
    expect(api.current.of(LIST)[0]?.query).toEqual({ status: 'PAST_DUE', ending: '45', page: '2' })

    await person.selectOptions(screen.getByRole('combobox', { name: 'Level' }), 'Annual Member')
    await waitFor(() =>
      expect(api.current.of(LIST).at(-1)?.query).toEqual({
        status: 'PAST_DUE',
        ending: '45',
        level: 'annual_member',
        page: '1',
      }),
    )
    await person.type(screen.getByLabelText(/^Search by name/), 'rao')
    await waitFor(() => expect(api.current.of(LIST).at(-1)?.query).toMatchObject({ q: 'rao', level: 'annual_member' }))
    await person.click(screen.getByRole('button', { name: 'Name' }))
    await waitFor(() => expect(api.current.of(LIST).at(-1)?.query).toMatchObject({ order: 'name', descending: 'yes' }))

    const query = 'status=PAST_DUE&ending=45&level=annual_member&q=rao&order=name&descending=yes'
    api.current.on('POST /api/console/member-views', {
      status: 201,
      body: { views: [{ id: 'v', name: 'Rao', query }] },
    })
    await person.click(screen.getByRole('button', { name: 'Keep this view' }))
    await person.type(await screen.findByLabelText('Name of the view'), 'Rao')
    await person.click(screen.getByRole('button', { name: 'Keep it' }))
    await screen.findByRole('link', { name: 'Rao' })
    expect(api.current.of('POST /api/console/member-views')[0]?.body).toEqual({ name: 'Rao', query })
  })

  test('says when nobody fits, and when it cannot be loaded', async () => {
    api.current.on(LIST, 'no network', answer([]), answer([listed]))
    const { person } = renderPage(MembersPage, { at: '/console/members?q=zz' })
    await screen.findByText(/The site did not answer/)
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Nobody fits this choice.')
    await person.click(screen.getByRole('button', { name: 'Show everybody' }))
    await screen.findByRole('rowheader', { name: 'Rao, Meera' })
    expect(screen.getByLabelText<HTMLInputElement>(/^Search by name/).value).toBe('')
  })

  test('says in its search field what the list shows, also after a view was opened', async () => {
    const views = [{ id: 'v', name: 'Iyer', query: 'q=iyer' }]
    api.current.on(LIST, answer([listed])).on('GET /api/console/member-views', { body: { views } })
    const { person } = renderPage(MembersPage, { at: '/console/members' })
    const field = await screen.findByLabelText<HTMLInputElement>(/^Search by name/)
    await person.type(field, 'rao')
    await waitFor(() => expect(api.current.of(LIST).at(-1)?.query).toEqual({ q: 'rao', page: '1' }))
    await person.click(screen.getByRole('link', { name: 'Iyer' }))
    await waitFor(() => expect(field.value).toBe('iyer'))
    await person.type(field, ' a')
    await waitFor(() => expect(api.current.of(LIST).at(-1)?.query).toEqual({ q: 'iyer a', page: '1' }))
    expect(field.value).toBe('iyer a')
  })
})

const member: ConsoleMember = {
  id: 'm1',
  email: 'meera@example.com',
  username: 'meera.r',
  name: { first: 'Meera', last: 'Rao' },
  joinedAt: '2019-03-02T12:00:00.000Z',
  state: 'EXPIRED',
  subscription: subscriptionTo(annual, { status: 'EXPIRED', renewal: 'none' }),
  endsAt: '2026-03-02T12:00:00.000Z',
  hasSubscription: false,
  version: 'as read',
  payments: [
    {
      id: 'p1',
      receiptNumber: 'R-2026-ABC',
      purpose: 'start',
      levelName: 'Annual Member',
      amount: 10_000,
      currency: 'usd',
      amountRefunded: 0,
      dispute: null,
      paidAt: '2025-03-02T12:00:00.000Z',
      periodEndsAt: '2026-03-02T12:00:00.000Z',
      receiptSentAt: null,
      byHand: null,
    },
  ],
  letters: [],
  consents: [],
  newsletter: null,
  credentials: [],
  devices: 1,
  merges: [],
  history: [],
  levels: [{ key: 'annual_member', name: 'Annual Member', isLifetime: false, unitAmount: 10_000 }],
  mayChange: true,
  mayViewAs: true,
  mayDecide: true,
  mayChangeMoney: true,
}
const Member = () => <MemberPage id="m1" />

describe('one person', () => {
  test('a cheque that is typed outlives a lost network and a closed tab, and is sent with what was seen', async () => {
    const PAY = 'POST /api/console/members/m1/payments'
    const paid = { ...member, state: 'ACTIVE', version: 'after' }
    api.current.on(ONE, { body: member }).on(PAY, 'no network', { body: paid })
    const { person, unmount } = renderPage(Member, { at: '/console/members/m1' })
    await person.click(await screen.findByRole('button', { name: 'Record a check or cash' }))
    await person.type(await screen.findByLabelText('Number or mark'), '1042')
    await person.click(screen.getByRole('button', { name: 'Record the payment' }))
    await screen.findByText(/nothing you typed is lost/)
    unmount()

    const again = renderPage(Member, { at: '/console/members/m1' })
    await again.person.click(await screen.findByRole('button', { name: 'Record a check or cash' }))
    expect(await screen.findByLabelText('Number or mark')).toHaveProperty('value', '1042')
    await again.person.click(screen.getByRole('button', { name: 'Record the payment' }))
    await screen.findByText('Active')
    expect(api.current.of(PAY)[1]?.body).toMatchObject({
      levelKey: 'annual_member',
      method: 'cheque',
      reference: '1042',
      version: 'as read',
    })
    expect(Object.keys(localStorage).filter((key) => key.startsWith('console-draft'))).toEqual([])
  })

  test('a refund says what will happen, wants a reason, and tells when somebody was quicker', async () => {
    const REFUND = 'POST /api/console/members/m1/payments/p1/refund'
    const sentence = 'Somebody else changed this meanwhile.'
    api.current.on(ONE, { body: member }).on(REFUND, refusal(409, 'CHANGED_MEANWHILE', sentence))
    const { person } = renderPage(Member, { at: '/console/members/m1' })
    await person.click(await screen.findByRole('button', { name: 'Refund R-2026-ABC' }))
    await screen.findByText(/The membership rests on this payment: it ends at once/)
    await person.type(screen.getByLabelText('Reason, for the history'), 'Paid twice')
    await person.click(screen.getByRole('button', { name: 'Give it back' }))
    await screen.findByText(sentence)
    expect(api.current.of(REFUND)[0]?.body).toEqual({ reason: 'Paid twice' })
  })

  test('whoever was slower sees what it says now, and replaces it with the second attempt', async () => {
    const PAY = 'POST /api/console/members/m1/payments'
    const EDIT = 'PUT /api/console/members/m1/profile'
    const sentence = 'Somebody else changed this meanwhile.'
    const theirs: ConsoleMember = {
      ...member,
      username: 'meera.rao',
      name: { first: 'Mira', last: 'Rao' },
      state: 'ACTIVE',
      endsAt: '2031-03-02T15:00:00.000Z',
      version: 'theirs',
    }
    api.current
      .on(ONE, { body: member }, { body: theirs })
      .on(PAY, refusal(409, 'CHANGED_MEANWHILE', sentence), { body: theirs })
    const { person } = renderPage(Member, { at: '/console/members/m1' })
    await person.click(await screen.findByRole('button', { name: 'Record a check or cash' }))
    await person.type(await screen.findByLabelText('Number or mark'), '1042')
    await person.click(screen.getByRole('button', { name: 'Record the payment' }))
    await screen.findByText(sentence)
    await screen.findByText(/The one that runs ends on March 2, 2031/)
    await person.click(screen.getByRole('button', { name: 'Record the payment' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Record the payment' })).toBeNull())
    expect(api.current.of(PAY)[1]?.body).toMatchObject({ reference: '1042', version: 'theirs' })

    api.current
      .on(ONE, { body: { ...theirs, username: 'mira', name: { first: 'Meira', last: 'Rao' } } })
      .on(EDIT, refusal(409, 'CHANGED_MEANWHILE', sentence), { body: theirs })
    await person.click(screen.getByRole('button', { name: 'Edit' }))
    await person.type(await screen.findByLabelText('First name'), ' K.')
    await person.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(sentence)
    within(await screen.findByRole('group', { name: 'It says now' })).getByText('Meira')
    await person.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByLabelText('First name')).toBeNull())
    expect(api.current.of(EDIT)[1]?.body).toEqual({
      firstName: 'Mira K.',
      lastName: 'Rao',
      username: 'mira',
      seen: { firstName: 'Meira', lastName: 'Rao', username: 'mira' },
    })
  })

  test('a role that may only look has nothing to press', async () => {
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
    renderPage(Member, { at: '/console/members/m1' })
    await screen.findByText(/^NPI 1234567893/)
    expect(screen.queryByRole('link', { name: 'To the desk' })).toBeNull()
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['ReceiptFetching'])
  })
})
