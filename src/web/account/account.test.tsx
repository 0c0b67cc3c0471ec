import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Subscription } from '#contract/public/account.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { directoryChoiceSample, renderAccount } from '#tests/support/web/account-test-helpers.tsx'
import { annual, life, advanceTime, profile, fakeClock, subscriptionTo } from '#tests/support/web/page-test-helpers.tsx'

vi.mock('#web/api/redirect.ts', () => ({
  redirectTo: vi.fn<() => Promise<void>>(() => Promise.resolve()),
  reloadPage: vi.fn<() => void>(),
}))

const api = useFakeApi()
const PROFILE = 'GET /api/account/profile'
const PORTAL = 'POST /api/billing/portal-session'
beforeEach(() => vi.mocked(redirectTo).mockReset().mockResolvedValue())
afterEach(() => vi.useRealTimers())

function openAs(subscription: Subscription | null, at = '/auth/account') {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on('GET /api/account/directory', { body: directoryChoiceSample })
  api.current.on('GET /api/account/record', { body: { fields: [], version: 'v1' } })
  api.current.on(PROFILE, { body: { profile, subscription } })
  return renderAccount(at)
}

async function openWith(answer: Parameters<typeof api.current.on>[1]) {
  localStorage.setItem('token', tokenFor(3_600))
  localStorage.setItem('user', '{"username":"meera.r"}')
  api.current.on(PROFILE, answer)
  const view = renderAccount()
  return { ...view, sentence: (await screen.findByRole('alert')).textContent }
}

/** The value next to a label. */
function valueOf(label: string): string | null | undefined {
  return screen.getByText(label).nextElementSibling?.textContent
}

const refreshButton = () => screen.getByRole('button', { name: /Refresh membership|Refreshing/ })

test('shows placeholders while loading', async () => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on(PROFILE, 'never')
  renderAccount()
  await screen.findByText('Loading your account...')
})

test('shows the profile, and stores it for the header', async () => {
  openAs(null, '/auth/account/profile')
  await screen.findByRole('heading', { name: 'Profile Information' })
  expect(valueOf('Username')).toBe('meera.r')
  expect(valueOf('Name')).toBe('Meera Raghuvanshi')
  expect(valueOf('Email')).toBe('meera@example.com')
  expect(valueOf('Account since')).toBe('March 2, 2019')
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(profile)
})

describe('a session that ended meanwhile', () => {
  const gone = 'Authentication required. Please log in again.'

  async function expectGone() {
    expect((await screen.findByRole('alert')).textContent).toBe(gone)
    expect(screen.queryByText('Hello, Meera')).toBeNull()
    screen.getByRole('link', { name: 'Log in' })
  }

  test('in another tab removes the account from the screen', async () => {
    openAs(null)
    await screen.findByText('Hello, Meera')
    for (const key of ['token', 'user']) {
      localStorage.removeItem(key)
      window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }))
    }
    await expectGone()
  })

  test('so does one that expired', async () => {
    fakeClock()
    openAs(null)
    await screen.findByText('Hello, Meera')
    localStorage.setItem('token', tokenFor(-1))
    await advanceTime(60_000)
    await expectGone()
  })

  test('a response that arrives after it is not shown', async () => {
    localStorage.setItem('token', tokenFor(3_600))
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    api.current.on(
      PROFILE,
      held.then(() => ({ body: { profile, subscription: null } })),
    )
    renderAccount()
    await waitFor(() => expect(api.current.requestsTo(PROFILE)).toHaveLength(1))
    localStorage.removeItem('token')
    window.dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }))
    answer()
    await expectGone()
    expect(localStorage.getItem('user')).toBeNull()
  })
})

describe('the membership', () => {
  test('of a year: active, its price, its dates, and billing', async () => {
    openAs(subscriptionTo(annual))
    expect((await screen.findByText('Active')).className).toContain('ok')
    expect(screen.getByText(/Annual Member/).textContent).toBe('Annual Member $100 a year')
    expect(valueOf('Started')).toBe('March 2, 2026')
    expect(valueOf('Next billing date')).toBe('March 2, 2027')
    screen.getByRole('button', { name: 'Manage billing' })
  })

  test('for life has no next billing date and nothing to bill', async () => {
    openAs(subscriptionTo(life))
    await screen.findByText('Lifetime membership')
    expect(screen.queryByText('Next billing date')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Manage billing' })).toBeNull()
  })

  test('with a failed renewal is red, keeps its rights, and says what to do', async () => {
    openAs(subscriptionTo(annual, { status: 'PAST_DUE', cancelDate: '2027-03-16T12:00:00.000Z' }))
    expect((await screen.findByText('Past due')).className).toContain('bad')
    screen.getByText('Your last payment did not go through.')
    screen.getByText(/stays active until March 16, 2027/)
    screen.getByRole('button', { name: 'Manage billing' })
  })

  test.each([
    ['CANCELED', 'Canceled'],
    ['EXPIRED', 'Expired'],
    ['INCOMPLETE', 'Incomplete'],
  ] as const)('%s is red and leads to the plans', async (status, text) => {
    openAs(subscriptionTo(annual, { status, nextBillDate: null }))
    expect((await screen.findByText(text)).className).toContain('bad')
    expect(screen.getByRole('link', { name: 'Renew or choose a membership' }).getAttribute('href')).toBe(
      '/become-a-member',
    )
    expect(screen.queryByRole('button', { name: 'Manage billing' })).toBeNull()
  })

  test('none leads to the plans', async () => {
    openAs(null)
    expect((await screen.findByRole('link', { name: 'Become a member' })).getAttribute('href')).toBe('/become-a-member')
  })

  test('returning from the card provider refreshes it and clears the URL', async () => {
    openAs(subscriptionTo(annual), '/auth/account?fromStripe=true&a=1')
    await screen.findByText('Active')
    expect(window.location.search).toBe('?a=1')
    expect(api.current.requestsTo(PROFILE)).toHaveLength(1)
  })
})

describe('refreshing', () => {
  test('is busy for at least a second and shows what has changed', async () => {
    fakeClock()
    const { person } = openAs(null)
    await screen.findByRole('link', { name: 'Become a member' })
    api.current.on(PROFILE, { body: { profile, subscription: subscriptionTo(life) } })
    await person.click(refreshButton())
    await advanceTime(900)
    expect(refreshButton().getAttribute('aria-busy')).toBe('true')
    expect(screen.queryByText('Lifetime membership')).toBeNull()
    await advanceTime(200)
    await screen.findByText('Lifetime membership')
    expect(refreshButton().getAttribute('aria-busy')).toBeNull()
  })

  test('after a network error keeps what is shown and reports it', async () => {
    fakeClock()
    const { person } = openAs(subscriptionTo(annual))
    await screen.findByText('Active')
    api.current.on(PROFILE, 'no network')
    await person.click(refreshButton())
    await advanceTime(1_100)
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Unable to connect to the server. Please check your internet connection.',
    )
    screen.getByText('Active')
  })

  test('with an ended session leads to the login page', async () => {
    fakeClock()
    const { person } = openAs(subscriptionTo(annual))
    await screen.findByText('Active')
    api.current.on(PROFILE, errorResponse(401, 'SESSION_EXPIRED', 'x'))
    await person.click(refreshButton())
    await advanceTime(1_100)
    await screen.findByText('Your session has expired. Please log in again.')
    expect(screen.queryByText('Active')).toBeNull()
  })
})

describe('an account that cannot be shown', () => {
  const login = '/auth/login?next=%2Fauth%2Faccount'

  test('without token', async () => {
    renderAccount()
    await screen.findByText('Authentication required. Please log in again.')
    expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe(login)
    expect(api.current.sent).toEqual([])
  })

  test.each([
    [401, 'Your session has expired. Please log in again.'],
    [403, 'Your account has been deactivated. Please contact support if you believe this is an error.'],
  ])('%i clears the token', async (status, text) => {
    const { sentence } = await openWith(errorResponse(status, 'X', 'x'))
    expect(sentence).toBe(text)
    expect(localStorage.getItem('token')).toBeNull()
    expect(localStorage.getItem('user')).toBeNull()
    expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe(login)
    screen.getByRole('link', { name: 'office@example.org' })
  })

  test.each([
    [errorResponse(500, 'INTERNAL', 'x'), 'Failed to load account information. Please try again.'],
    [errorResponse(404, 'NOT_FOUND', 'x'), 'Failed to load account information. Please try again.'],
    [{ body: { odd: 1 } }, 'Failed to load account information. Please try again.'],
    ['no network' as const, 'Unable to connect to the server. Please check your internet connection.'],
  ])('%j keeps the session and can be retried', async (answer, text) => {
    const { sentence, person } = await openWith(answer)
    expect(sentence).toBe(text)
    expect(localStorage.getItem('token')).not.toBeNull()
    api.current.on(PROFILE, { body: { profile, subscription: null } })
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'Hello, Meera' })
  })
})

describe('billing', () => {
  test('opens the card provider’s pages', async () => {
    api.current.on(PORTAL, { body: { url: 'https://pay.example/portal' } })
    const { person } = openAs(subscriptionTo(annual))
    await person.click(await screen.findByRole('button', { name: 'Manage billing' }))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/portal'))
    expect(api.current.requestsTo(PORTAL)[0]).toMatchObject({ body: {}, bearer: localStorage.getItem('token') })
  })

  test.each([
    [errorResponse(502, 'PORTAL_FAILED', 'The bank is asleep.'), 'The bank is asleep.'],
    [{ status: 502 }, 'Failed to open billing portal'],
    ['no network' as const, 'Failed to open billing portal'],
  ])('%j', async (answer, sentence) => {
    api.current.on(PORTAL, answer)
    const { person } = openAs(subscriptionTo(annual))
    await person.click(await screen.findByRole('button', { name: 'Manage billing' }))
    const box = await screen.findByRole('alert')
    expect(within(box).getByText(sentence)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(box))
  })
})
