import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { openMemberView } from '#web/session/member-view.ts'
import { MemberViewBar } from '#web/session/member-view-bar.tsx'
import { startSession } from '#web/session/session.ts'
import { useViewer } from '#web/session/viewer.ts'
import MemberPage from '../members/member/member.tsx'
import { memberDirectorySample, personStateSample, sampleMember } from '#tests/support/web/member-sample.ts'
import { directoryChoiceSample, GET_RECORD, renderAccount } from '#tests/support/web/account-test-helpers.tsx'
import { annual, profile, renderPage, subscriptionTo, user } from '#tests/support/web/page-test-helpers.tsx'

vi.mock('#web/api/redirect.ts', () => ({
  reloadPage: vi.fn<() => void>(),
  redirectTo: vi.fn<() => Promise<void>>(async () => {}),
}))

vi.mock('#web/styles/view-bar.css?url', () => ({ default: '/view-bar.css' }))

const api = useFakeApi()
const officersToken = tokenFor(3_600)
const viewToken = tokenFor(900)
const view = () => ({
  id: 'v1',
  token: viewToken,
  until: new Date(Date.now() + 600_000).toISOString(),
  member: user,
})

beforeEach(() => {
  vi.mocked(redirectTo).mockClear()
  localStorage.setItem('token', officersToken)
  localStorage.setItem('user', JSON.stringify({ username: 'officer' }))
})
afterEach(cleanup)

const officersOwn = () => [localStorage.getItem('token'), localStorage.getItem('user')]

describe('in the console', () => {
  const BEGIN = 'POST /api/console/members/m1/view-as'
  const Page = () => <MemberPage id="m1" />

  async function ask() {
    api.current
      .on('GET /api/console/members/m1', { body: { ...sampleMember, mayViewAs: true } })
      .on('GET /api/console/members/m1/directory', { body: memberDirectorySample })
      .on('GET /api/console/members/m1/state', { body: personStateSample })
      .on('GET /api/console/members/m1/card', { body: { card: null, mayRevoke: false } })
      .on('GET /api/console/members/m1/timeline', { body: { entries: [], next: null } })
      .on('GET /api/console/members/m1/record', { body: { fields: [], version: 'v1', mayEdit: false } })
    const { person } = renderPage(Page, { at: '/console/members/m1?open=view' })
    await screen.findByText(/in this tab, for 15 minutes/)
    await person.type(screen.getByLabelText('Reason for the audit log'), 'Cannot find the receipt')
    await person.click(screen.getByRole('button', { name: 'View site' }))
  }

  test('a reason opens the view in this tab, and the officer stays logged in elsewhere', async () => {
    api.current.on(BEGIN, { status: 201, body: view() })
    await ask()
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('/auth/account'))
    expect(api.current.requestsTo(BEGIN)[0]?.body).toEqual({ reason: 'Cannot find the receipt' })
    expect(sessionStorage.getItem('viewToken')).toBe(viewToken)
    expect(officersOwn()).toEqual([officersToken, '{"username":"officer"}'])
  })

  test('a rejection is shown, and so is blocked storage', async () => {
    api.current.on(BEGIN, errorResponse(409, 'VIEW_OF_OFFICER', 'This person holds a role in this console.'), {
      status: 201,
      body: view(),
    })
    await ask()
    await screen.findByText('This person holds a role in this console.')
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('full')
    })
    await userEvent.click(screen.getByRole('button', { name: 'View site' }))
    await screen.findByText(/Your browser blocks site data for this tab/)
    expect(redirectTo).not.toHaveBeenCalled()
  })
})

describe('the account page in a view', () => {
  const GET_PROFILE = 'GET /api/account/profile'
  beforeEach(() => openMemberView(view(), '/auth/account'))

  test('is loaded as the member, and hides what only the member can do', async () => {
    api.current
      .on(GET_PROFILE, { body: { profile, subscription: subscriptionTo(annual) } })
      .on('GET /api/account/directory', { body: directoryChoiceSample })
      .on(GET_RECORD, { body: { fields: [], version: 'v1' } })
      .on('GET /api/billing/payments', errorResponse(409, 'VIEW_HIDES', 'Your role does not open it.'))
    const { person } = renderAccount()
    await screen.findByRole('heading', { name: 'Hello, Meera' })
    await screen.findByText('Your role does not open it.')
    expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull()
    const navigation = within(screen.getByRole('navigation', { name: 'Account' }))
    for (const [page, closed] of [
      ['Profile', 'Change email address'],
      ['Security and devices', 'Change password'],
      ['Your data', 'Delete account'],
    ] as const) {
      await person.click(navigation.getByRole('link', { name: page }))
      await screen.findByText(/^Only for the member: /)
      expect(screen.queryByRole('button', { name: closed })).toBeNull()
    }
    expect(new Set(api.current.sent.map(({ bearer }) => bearer))).toEqual(new Set([viewToken]))
    expect(officersOwn()).toEqual([officersToken, '{"username":"officer"}'])
  })

  test('says that nothing can be changed, and keeps what was typed', async () => {
    const sentence = 'You are viewing the site as a member. Nothing can be changed here.'
    api.current
      .on(GET_PROFILE, { body: { profile, subscription: null } })
      .on('GET /api/account/directory', { body: directoryChoiceSample })
      .on(GET_RECORD, { body: { fields: [], version: 'v1' } })
      .on('PUT /api/account/credentials', errorResponse(409, 'VIEW_READ_ONLY', sentence))
    const { person } = renderAccount('/auth/account/profile')
    await person.type(await screen.findByLabelText(/^NPI/), '1234567893')
    await person.type(screen.getByLabelText(/^License state/), 'GA')
    await person.click(screen.getByRole('button', { name: 'Submit for verification' }))
    await screen.findByText(sentence)
    expect(screen.getByLabelText(/^NPI/)).toHaveProperty('value', '1234567893')
  })
})

describe('the bar', () => {
  const Bar = () => {
    const { isMemberView: isView, status } = useViewer()
    return isView && <MemberViewBar isOpen={status === 'member'} />
  }
  function show(until = view().until) {
    openMemberView({ ...view(), until }, '/auth/account')
    vi.mocked(redirectTo).mockClear()
    const stop = startSession()
    render(<Bar />)
    return stop
  }

  test('shows the member and the time left; leaving returns the tab to the officer and ends the view on the server', async () => {
    const END = 'DELETE /api/console/view-as/v1'
    api.current.on(END, { status: 204 })
    const stop = show()
    const bar = screen.getByRole('region', { name: 'Viewing the site as a member' })
    expect(bar.textContent).toContain('You are viewing the site as Meera Raghuvanshi. Nothing can be changed.')
    screen.getByText('10 minutes left')
    await userEvent.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Leave' }))
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('/console/members/u1'))
    expect(api.current.requestsTo(END)[0]?.bearer).toBe(officersToken)
    expect(sessionStorage.length).toBe(0)
    stop()
  })

  test('leaving works without a network', async () => {
    const stop = show()
    api.current.on('DELETE /api/console/view-as/v1', 'no network')
    await userEvent.click(screen.getByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('/console/members/u1'))
    stop()
  })

  test('when it expires it says so, and this tab is logged out', async () => {
    const stop = show(new Date(Date.now() - 1).toISOString())
    await screen.findByText('This view has ended.')
    screen.getByRole('button', { name: 'Back to the console' })
    expect([sessionStorage.getItem('token'), sessionStorage.getItem('viewToken')]).toEqual([null, viewToken])
    expect(officersOwn()[0]).toBe(officersToken)
    stop()
  })

  test('another tab’s user is not adopted, but its logout ends the view', async () => {
    const stop = show()
    const tell = (key: string, newValue: string | null) =>
      window.dispatchEvent(new StorageEvent('storage', { key, newValue }))
    tell('user', JSON.stringify({ username: 'officer' }))
    expect(sessionStorage.getItem('user')).toContain('meera.r')
    screen.getByText(/You are viewing the site as/)
    tell('token', null)
    await screen.findByText('This view has ended.')
    stop()
  })
})
