import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { redirectTo } from '#web/api/redirect.ts'
// Imported before the clock is faked, since loading a module takes real time.
import './verification-calls.ts'
import '../payment/checkout.ts'
import EmailVerificationPage from './email-verification.tsx'
import { advanceTime, renderPage, fakeClock, stubBotCheck, user } from '#tests/support/web/page-test-helpers.tsx'

vi.mock('#web/api/redirect.ts', () => ({
  redirectTo: vi.fn<() => Promise<void>>(() => Promise.resolve()),
  reloadPage: vi.fn<() => void>(),
}))

const api = useFakeApi()
const VERIFY = 'POST /api/auth/verify-email'
const START = 'POST /api/stripe/checkout/start'
const WITH_TOKEN = '/email-verification?email=meera%40example.com&token=secret'

beforeEach(() => {
  stubBotCheck()
  vi.mocked(redirectTo).mockReset().mockResolvedValue()
})
afterEach(() => {
  vi.useRealTimers()
  openedBy('navigate')
  setVisibility('visible')
})

/** jsdom does not tell how a document was opened. */
function openedBy(type: NavigationTimingType): void {
  Object.assign(performance, { getEntriesByType: () => [{ type }] })
}
openedBy('navigate')

function open(at = WITH_TOKEN) {
  return renderPage(EmailVerificationPage, { at })
}

/**
 * Opens the page in a background tab. Hidden only after rendering, because React delays its first work in a hidden
 * document.
 */
function openHidden() {
  const view = open()
  setVisibility('hidden')
  return view
}

function setVisibility(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
}

const verified = (over: object = {}) => ({
  body: { alreadyVerified: false, user, next: 'checkout', nextLevelKey: 'annual_member', granted: true, ...over },
})
const title = (name: string) => screen.findByRole('heading', { level: 1, name })

test('starts after 1.2 seconds in a tab with a grant', async () => {
  fakeClock()
  api.current.on(VERIFY, verified()).on(START, { body: { completed: false, sessionUrl: 'https://pay.example/cs' } })
  open()
  await title('Email Verified Successfully!')
  expect(screen.getByText('Next: payment for your membership.').getAttribute('role')).toBe('status')
  await advanceTime(1_000)
  expect(api.current.requestsTo(START)).toEqual([])
  await advanceTime(300)
  await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/cs'))
  expect(api.current.requestsTo(START)[0]).toMatchObject({
    body: { levelKey: 'annual_member', email: 'meera@example.com', firstName: 'Meera', lastName: 'Raghuvanshi' },
    bearer: null,
  })
})

test('unless the visitor stays; then a button continues', async () => {
  fakeClock()
  api.current.on(VERIFY, verified()).on(START, { body: { completed: false, sessionUrl: 'https://pay.example/cs' } })
  open()
  fireEvent.click(await screen.findByRole('link', { name: 'Stay here' }))
  await advanceTime(5_000)
  expect(api.current.requestsTo(START)).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Continue to payment' }))
  await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/cs'))
})

test('does not start where Back led to: it would lead to the payment again and again', async () => {
  fakeClock()
  openedBy('back_forward')
  api.current.on(VERIFY, verified({ alreadyVerified: true }))
  open()
  await screen.findByRole('button', { name: 'Continue to payment' })
  await advanceTime(5_000)
  expect(api.current.requestsTo(START)).toEqual([])
})

test('does not start in a background tab', async () => {
  api.current.on(VERIFY, verified())
  openHidden()
  await screen.findByRole('button', { name: 'Continue to payment' })
  expect(screen.queryByRole('link', { name: 'Stay here' })).toBeNull()
  expect(screen.queryByLabelText('Password')).toBeNull()
})

test('leaving the page stops it', async () => {
  fakeClock()
  api.current.on(VERIFY, verified())
  const { unmount } = open()
  await title('Email Verified Successfully!')
  unmount()
  await advanceTime(5_000)
  expect(api.current.requestsTo(START)).toEqual([])
})

test('a free level logs in and is active', async () => {
  const token = tokenFor(3_600)
  api.current.on(VERIFY, verified({ nextLevelKey: 'medical_student' })).on(START, {
    body: { completed: true, token, user },
  })
  const { person } = openHidden()
  await person.click(await screen.findByRole('button', { name: 'Continue to payment' }))
  await screen.findByText('At /stripe/success?free=1')
  expect(localStorage.getItem('token')).toBe(token)
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(user)
})

describe('in a browser without a grant', () => {
  async function prove(password: string) {
    const view = open()
    await screen.findByLabelText('Password')
    if (password) await view.person.type(screen.getByLabelText('Password'), password)
    await view.person.click(screen.getByRole('button', { name: 'Continue to payment' }))
    return view
  }

  test('the password continues to payment', async () => {
    api.current
      .on(VERIFY, verified({ granted: false }), verified({ alreadyVerified: true }))
      .on(START, { body: { completed: false, sessionUrl: 'https://pay.example/cs' } })
    await prove('monsoon')
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/cs'))
    expect(api.current.requestsTo(VERIFY)[1]?.body).toEqual({ token: 'secret', password: 'monsoon' })
    expect(api.current.requestsTo(START)).toHaveLength(1)
    // Proving it again is not a second verification.
    await title('Email Verified Successfully!')
  })

  test('a wrong one is an error under the field', async () => {
    const sentence = 'Password is incorrect'
    api.current.on(
      VERIFY,
      verified({ granted: false }),
      errorResponse(400, 'INVALID_INPUT', sentence, { password: sentence }),
    )
    await prove('monsoons')
    await screen.findByRole('link', { name: sentence })
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')))
    expect(api.current.requestsTo(START)).toEqual([])
  })

  test('an empty one is rejected', async () => {
    api.current.on(VERIFY, verified({ granted: false }))
    await prove('')
    await screen.findByRole('link', { name: 'Password is required' })
  })

  test('the server grants nothing', async () => {
    api.current.on(VERIFY, verified({ granted: false }))
    await prove('monsoon')
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to start checkout')
  })
})

const failures: [string, Parameters<typeof api.current.on>[1], string][] = [
  ['the server', errorResponse(502, 'CHECKOUT_FAILED', 'The bank is asleep.'), 'The bank is asleep.'],
  ['no words', { status: 502 }, 'Failed to start checkout'],
  ['nothing to go to', { body: { completed: false } }, 'No checkout URL or session ID received'],
  ['no library', { body: { completed: false, sessionId: 'cs' } }, 'Failed to load Stripe'],
  ['no network', 'no network', 'Network error. Please try again.'],
]
test.each(failures)('a checkout that does not start: %s', async (_, answer, sentence) => {
  api.current.on(VERIFY, verified()).on(START, answer)
  const { person } = openHidden()
  await person.click(await screen.findByRole('button', { name: 'Continue to payment' }))
  const box = await screen.findByRole('alert')
  expect(box.textContent).toBe(sentence)
  await waitFor(() => expect(document.activeElement).toBe(box))
  screen.getByRole('button', { name: 'Continue to payment' })
})

test('an expired grant asks for the password, and does not log out', async () => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current
    .on(VERIFY, verified())
    .on(START, errorResponse(403, 'VERIFICATION_REQUIRED', 'Please verify your email address before paying.'))
  const { person } = openHidden()
  await person.click(await screen.findByRole('button', { name: 'Continue to payment' }))
  await screen.findByText('Please verify your email address before paying.')
  screen.getByLabelText('Password')
  expect(localStorage.getItem('token')).not.toBeNull()
})
