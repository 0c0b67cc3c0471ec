import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import {
  annual,
  life,
  advanceTime,
  profile,
  renderPage,
  fakeClock,
  subscriptionTo,
  user,
} from '#tests/support/web/page-test-helpers.tsx'
import StripeSuccessPage from './stripe-success.tsx'

const api = useFakeApi()
const SESSION = 'GET /api/stripe/checkout/verify-session'
const STATUS = 'GET /api/stripe/checkout/payment-status'
const PROFILE = 'GET /api/account/profile'
const AT = '/stripe/success?session_id=cs_1&nonce=secret'
afterEach(() => vi.useRealTimers())

function open(at = AT) {
  return renderPage(StripeSuccessPage, { at })
}

const title = (name: string) => screen.findByRole('heading', { level: 1, name })
const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

describe('a completed payment', () => {
  test('is confirmed, and its secrets leave the address bar', async () => {
    api.current.on(SESSION, { body: { ready: true } })
    open()
    await title('Payment Successful!')
    expect(api.current.requestsTo(SESSION)[0]).toMatchObject({
      query: { session_id: 'cs_1', nonce: 'secret' },
      bearer: null,
    })
    expect(window.location.search).toBe('')
    expect(href('Back to home')).toBe('/')
    expect(href('Go to your account')).toBe('/auth/account')
  })

  test('logs in with the one-time token', async () => {
    const token = tokenFor(3_600)
    api.current
      .on(SESSION, { body: { ready: true, token, user } })
      .on(PROFILE, { body: { profile, subscription: subscriptionTo(annual) } })
    open()
    await screen.findByText('Annual Member: renews on March 2, 2027.')
    screen.getByText('Welcome, Meera.')
    expect(localStorage.getItem('token')).toBe(token)
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(profile)
    expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull()
  })

  test('without token offers to log in', async () => {
    api.current.on(SESSION, { body: { ready: true } })
    open()
    await title('Payment Successful!')
    expect(href('Log in')).toBe('/auth/login?next=%2Fauth%2Faccount')
  })

  test('is confirmed again after a reload', async () => {
    api.current.on(SESSION, { body: { ready: true } })
    const first = open()
    await title('Payment Successful!')
    const historyState: unknown = window.history.state
    first.unmount()
    renderPage(StripeSuccessPage, { at: '/stripe/success', historyState })
    await title('Payment Successful!')
    expect(api.current.requestsTo(SESSION)).toHaveLength(2)
  })

  test('never logs a member out', async () => {
    const token = tokenFor(3_600)
    localStorage.setItem('token', token)
    api.current.on(SESSION, errorResponse(403, 'PAYMENT_LINK_INVALID', 'x'))
    open()
    await screen.findByRole('alert')
    expect(localStorage.getItem('token')).toBe(token)
  })
})

describe('a payment in progress', () => {
  test('is polled every 2 seconds, and then confirmed', async () => {
    fakeClock()
    api.current
      .on(SESSION, { body: { ready: false } }, { body: { ready: true } })
      .on(STATUS, { body: { ready: false } }, 'no network', { status: 500 }, { body: { ready: true } })
    open()
    await title('Confirming your payment')
    await advanceTime(7_500)
    expect(api.current.requestsTo(STATUS)).toHaveLength(3)
    await advanceTime(1_000)
    await title('Payment Successful!')
    expect(api.current.requestsTo(STATUS).map(({ query }) => query)).toEqual(
      Array.from({ length: 4 }, () => ({ sessionId: 'cs_1' })),
    )
    expect(api.current.requestsTo(SESSION)).toHaveLength(2)
  })

  test('is polled 45 times, then a retry is offered', async () => {
    fakeClock()
    api.current.on(SESSION, { body: { ready: false } }).on(STATUS, { body: { ready: false } })
    const { person } = open()
    await title('Confirming your payment')
    await advanceTime(95_000)
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Payment is still processing. Please wait a moment or refresh the page.',
    )
    expect(api.current.requestsTo(STATUS)).toHaveLength(45)
    api.current.on(SESSION, { body: { ready: true } })
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await title('Payment Successful!')
  })

  test('is no longer polled after leaving the page', async () => {
    fakeClock()
    api.current.on(SESSION, { body: { ready: false } }).on(STATUS, { body: { ready: false } })
    const { unmount } = open()
    await advanceTime(3_000)
    unmount()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(api.current.requestsTo(STATUS).length).toBeLessThan(3)
  })
})

describe('failures', () => {
  test.each([
    [
      '/stripe/success',
      'This link is missing payment information. If you already paid, please check your email or go to your Account page.',
    ],
    [
      '/stripe/success?session_id=cs_1',
      'This link is missing verification information. Please return to the checkout page and try again.',
    ],
    ['/stripe/success?nonce=n', 'Missing session information. Please refresh the page.'],
  ])('%s: no retry is offered', async (at, sentence) => {
    open(at)
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    expect(href('Back to home')).toBe('/')
    expect(href('Go to your account')).toBe('/auth/account')
  })

  test.each([
    [
      errorResponse(403, 'PAYMENT_LINK_INVALID', 'x'),
      'This link is invalid or expired. Please return to the checkout page and try again.',
      false,
    ],
    [errorResponse(502, 'PAYMENT_CHECK_FAILED', 'The bank is asleep.'), 'The bank is asleep.', true],
    [{ status: 500 }, 'Failed to verify payment. Please contact support.', true],
    [{ body: { odd: 1 } }, 'Failed to verify payment. Please contact support.', true],
    ['no network' as const, 'Verification failed. Please try again or refresh the page.', true],
  ])('%j', async (answer, sentence, canRetry) => {
    api.current.on(SESSION, answer)
    const { person } = open()
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    const heading = screen.getByRole('heading', { level: 1 })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    const retry = screen.queryByRole('button', { name: 'Try again' })
    expect(retry !== null).toBe(canRetry)
    if (!retry) return
    api.current.on(SESSION, { body: { ready: true } })
    await person.click(retry)
    await title('Payment Successful!')
  })
})

describe('a free membership', () => {
  test('is announced to anyone, and nothing personal with it', async () => {
    open('/stripe/success?free=1')
    await title('Membership Activated!')
    expect(href('Back to home')).toBe('/')
    expect(href('Go to your account')).toBe('/auth/account')
    await screen.findByRole('link', { name: 'Log in' })
    expect(screen.queryByText(/^Welcome,/)).toBeNull()
    expect(api.current.sent).toEqual([])
  })

  test('is named once the profile confirms it', async () => {
    localStorage.setItem('token', tokenFor(3_600))
    api.current.on(PROFILE, { body: { profile, subscription: subscriptionTo(life) } })
    open('/stripe/success?free=1')
    await screen.findByText('Life Member: yours for life.')
  })

  test.each([
    [{ body: { profile, subscription: null } }],
    [{ body: { profile, subscription: subscriptionTo(annual, { status: 'EXPIRED' }) } }],
    [errorResponse(500, 'INTERNAL', 'x')],
  ])('is not named for %j', async (answer) => {
    localStorage.setItem('token', tokenFor(3_600))
    api.current.on(PROFILE, answer)
    open('/stripe/success?free=1')
    await waitFor(() => expect(api.current.requestsTo(PROFILE)).toHaveLength(1))
    await title('Membership Activated!')
    expect(screen.queryByText(/Annual Member/)).toBeNull()
  })
})
