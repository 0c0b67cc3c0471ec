import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { redirectTo } from '#web/api/redirect.ts'
// Imported before the tests, since loading a module takes real time.
import '#web/shared/get-account.ts'
import '#web/shared/membership-greeting.rules.ts'
import '#web/shared/membership-text.rules.ts'
import BecomeAMemberPage from './become-a-member.tsx'
import {
  annual,
  life,
  advanceTime,
  profile,
  renderPage,
  fakeClock,
  stubBotCheck,
  plainHead,
  plainJoinPage,
  student,
  user,
} from '#tests/support/web/page-test-helpers.tsx'

vi.mock('#web/api/redirect.ts', () => ({ redirectTo: vi.fn<() => Promise<void>>(() => Promise.resolve()) }))

const api = useFakeApi()
const LEVELS = 'GET /api/membership-levels'
const PROFILE = 'GET /api/account/profile'
const levels = [annual, life, student]

beforeEach(() => {
  stubBotCheck()
  api.current.on(LEVELS, { body: levels })
  vi.mocked(redirectTo).mockReset().mockResolvedValue()
})
afterEach(() => vi.useRealTimers())

function open(loaded = levels, page = plainJoinPage) {
  return renderPage(BecomeAMemberPage, {
    at: '/become-a-member',
    loaderData: { levels: loaded, page, head: plainHead, fields: [] },
  })
}

describe('a profile that cannot be loaded', () => {
  function openWith(...answers: Parameters<typeof api.current.on>[1][]) {
    localStorage.setItem('token', tokenFor(3_600))
    localStorage.setItem('user', JSON.stringify(user))
    api.current.on(PROFILE, ...answers)
    return open()
  }
  const toLogin = 'At /auth/login?next=%2Fbecome-a-member'

  const expired = 'Your session has expired. Please log in again.'
  const deactivated = 'Your account has been deactivated. Please contact support if you believe this is an error.'
  const failed = 'Failed to load account information. Please try again.'
  const offline = 'Unable to connect to the server. Please check your internet connection.'

  function expectLoggedOut(because: string | null) {
    expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null])
    const told = screen.queryByTestId('state')?.textContent ?? null
    expect(told).toBe(because && JSON.stringify({ loggedOutBecause: because }))
  }

  test.each([
    [401, toLogin, expired],
    [403, toLogin, deactivated],
    [404, 'At /', null],
    [400, toLogin, failed],
  ])('%i immediately: logged out, %s', async (status, where, because) => {
    openWith(errorResponse(status, 'X', 'no'))
    await screen.findByText(where)
    expect(api.current.requestsTo(PROFILE)).toHaveLength(1)
    expectLoggedOut(because)
  })

  test.each([
    ['no network' as const, offline],
    [errorResponse(503, 'UNAVAILABLE', 'no'), failed],
    [{ status: 500 }, failed],
  ])('%j after two retries: logged out, with the reason', async (answer, because) => {
    fakeClock()
    openWith(answer)
    await advanceTime(1_500)
    expect(api.current.requestsTo(PROFILE)).toHaveLength(2)
    await advanceTime(1_000)
    await screen.findByText(toLogin)
    expect(api.current.requestsTo(PROFILE)).toHaveLength(3)
    expectLoggedOut(because)
  })

  test('a successful retry keeps the page', async () => {
    fakeClock()
    openWith('no network', { body: { profile, subscription: null } })
    await advanceTime(1_500)
    await screen.findByRole('heading', { name: 'Welcome meera.r!' })
  })

  test('nothing is loaded for a visitor', async () => {
    open()
    await waitFor(() => expect(api.current.requestsTo(LEVELS)).toHaveLength(2))
    expect(api.current.requestsTo(PROFILE)).toEqual([])
  })
})
