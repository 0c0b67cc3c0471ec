import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { refusal, tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import { leaveFor } from '#web/api/leave.ts'
import { openView } from '#web/features/auth/view.ts'
import { ViewBar } from '#web/features/auth/view-bar.tsx'
import { startSession } from '#web/features/auth/session.ts'
import { useViewer } from '#web/features/auth/viewer.ts'
import { ViewAsButton } from '#web/features/members/view-as-button.tsx'
import type { ConsoleMember } from '#contract/console-member.ts'
import AccountPage from './account.tsx'
import { annual, profile, renderPage, subscriptionTo, user } from './render-page.tsx'

vi.mock('#web/api/leave.ts', () => ({
  reloadPage: vi.fn<() => void>(),
  leaveFor: vi.fn<() => Promise<void>>(async () => {}),
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
  vi.mocked(leaveFor).mockClear()
  localStorage.setItem('token', officersToken)
  localStorage.setItem('user', JSON.stringify({ username: 'officer' }))
})
afterEach(cleanup)

const officersOwn = () => [localStorage.getItem('token'), localStorage.getItem('user')]

describe('in the console', () => {
  const BEGIN = 'POST /api/console/members/m1/view-as'
  const Page = () => (
    <ViewAsButton
      member={{ id: 'm1', name: { first: 'Meera', last: 'Rao' } } as ConsoleMember}
      accountPath="/auth/account"
    />
  )

  async function ask() {
    const { person } = renderPage(Page, { at: '/console/members/m1' })
    await person.click(await screen.findByRole('button', { name: 'View the site as this member' }))
    await screen.findByText(/for 15 minutes and in this tab/)
    await person.type(screen.getByLabelText('Reason for the audit log'), 'Cannot find the receipt')
    await person.click(screen.getByRole('button', { name: 'Open the view' }))
  }

  test('a reason opens the view in this tab, and the officer stays logged in elsewhere', async () => {
    api.current.on(BEGIN, { status: 201, body: view() })
    await ask()
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('/auth/account'))
    expect(api.current.of(BEGIN)[0]?.body).toEqual({ reason: 'Cannot find the receipt' })
    expect(sessionStorage.getItem('viewToken')).toBe(viewToken)
    expect(officersOwn()).toEqual([officersToken, '{"username":"officer"}'])
  })

  test('a refusal is said, and so is a browser that keeps nothing', async () => {
    api.current.on(BEGIN, refusal(409, 'VIEW_OF_OFFICER', 'This person holds a role in this console.'), {
      status: 201,
      body: view(),
    })
    await ask()
    await screen.findByText('This person holds a role in this console.')
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('full')
    })
    await userEvent.click(screen.getByRole('button', { name: 'Open the view' }))
    await screen.findByText(/Your browser keeps nothing for this tab/)
    expect(leaveFor).not.toHaveBeenCalled()
  })
})

describe('the account page in a view', () => {
  const GET_PROFILE = 'GET /api/account/profile'
  beforeEach(() => openView(view(), '/auth/account'))

  test('is asked for as the member, and shows nothing that is theirs alone', async () => {
    api.current
      .on(GET_PROFILE, { body: { profile, subscription: subscriptionTo(annual) } })
      .on('GET /api/billing/payments', refusal(409, 'VIEW_HIDES', 'Your role does not open it.'))
    renderPage(AccountPage, { at: '/auth/account' })
    await screen.findByText('Signed in as meera.r')
    await screen.findByText('Your role does not open it.')
    screen.getByRole('heading', { name: 'Only for the member' })
    for (const name of ['Devices', 'Your Data', 'Change Password']) expect(screen.queryByText(name)).toBeNull()
    expect(new Set(api.current.sent.map(({ bearer }) => bearer))).toEqual(new Set([viewToken]))
    expect(officersOwn()).toEqual([officersToken, '{"username":"officer"}'])
  })

  test('says that nothing can be changed, and keeps what was typed', async () => {
    const sentence = 'You see the site as a member does. Nothing can be changed here.'
    api.current
      .on(GET_PROFILE, { body: { profile, subscription: null } })
      .on('PUT /api/account/credentials', refusal(409, 'VIEW_READ_ONLY', sentence))
    const { person } = renderPage(AccountPage, { at: '/auth/account' })
    await person.type(await screen.findByLabelText(/^NPI/), '1234567893')
    await person.type(screen.getByLabelText(/^License state/), 'GA')
    await person.click(screen.getByRole('button', { name: 'Send for verification' }))
    await screen.findByText(sentence)
    expect(screen.getByLabelText(/^NPI/)).toHaveProperty('value', '1234567893')
  })
})

describe('the bar', () => {
  const Bar = () => {
    const { isView, status } = useViewer()
    return isView && <ViewBar isOpen={status === 'member'} />
  }
  function show(until = view().until) {
    openView({ ...view(), until }, '/auth/account')
    vi.mocked(leaveFor).mockClear()
    const stop = startSession()
    render(<Bar />)
    return stop
  }

  test('says whose site it is and for how long; leaving makes the tab the officer’s again and tells the server', async () => {
    const END = 'DELETE /api/console/view-as/v1'
    api.current.on(END, { status: 204 })
    const stop = show()
    const bar = screen.getByRole('region', { name: 'Seeing the site as a member' })
    expect(bar.textContent).toContain('You see the site as Meera Raghuvanshi. Nothing can be changed.')
    screen.getByText('10 minutes left')
    await userEvent.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Leave' }))
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('/console/members/u1'))
    expect(api.current.of(END)[0]?.bearer).toBe(officersToken)
    expect(sessionStorage.length).toBe(0)
    stop()
  })

  test('leaving works without a network', async () => {
    const stop = show()
    api.current.on('DELETE /api/console/view-as/v1', 'no network')
    await userEvent.click(screen.getByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('/console/members/u1'))
    stop()
  })

  test('when time is up it says so, and nobody is logged in in this tab', async () => {
    const stop = show(new Date(Date.now() - 1).toISOString())
    await screen.findByText('This view is over.')
    screen.getByRole('button', { name: 'Back to the console' })
    expect([sessionStorage.getItem('token'), sessionStorage.getItem('viewToken')]).toEqual([null, viewToken])
    expect(officersOwn()[0]).toBe(officersToken)
    stop()
  })

  test('another tab’s person is not taken over, but its log-out ends the view', async () => {
    const stop = show()
    const tell = (key: string, newValue: string | null) =>
      window.dispatchEvent(new StorageEvent('storage', { key, newValue }))
    tell('user', JSON.stringify({ username: 'officer' }))
    expect(sessionStorage.getItem('user')).toContain('meera.r')
    screen.getByText(/You see the site as/)
    tell('token', null)
    await screen.findByText('This view is over.')
    stop()
  })
})
