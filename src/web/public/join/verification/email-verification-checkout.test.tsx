import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { refusal, tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import { leaveFor } from '#web/api/leave.ts'
// Loaded before the clock is replaced, since a module takes real time to arrive.
import '#web/features/auth/verification-calls.ts'
import '#web/features/membership/checkout.ts'
import EmailVerificationPage from './email-verification.tsx'
import { pass, renderPage, replaceClock, stubBotCheck, user } from './render-page.tsx'

vi.mock('#web/api/leave.ts', () => ({
  leaveFor: vi.fn<() => Promise<void>>(() => Promise.resolve()),
  reloadPage: vi.fn<() => void>(),
}))

const api = useFakeApi()
const VERIFY = 'POST /api/auth/verify-email'
const START = 'POST /api/stripe/checkout/start'
const WITH_TOKEN = '/email-verification?email=meera%40example.com&token=secret'

beforeEach(() => {
  stubBotCheck()
  vi.mocked(leaveFor).mockReset().mockResolvedValue()
})
afterEach(() => {
  vi.useRealTimers()
  setVisibility('visible')
})

function open(at = WITH_TOKEN) {
  return renderPage(EmailVerificationPage, { at })
}

/** In a tab that nobody looks at. Hidden once it was rendered: React puts off its first work in a hidden document. */
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

test('by itself after 1.2 seconds in a tab that was granted', async () => {
  replaceClock()
  api.current.on(VERIFY, verified()).on(START, { body: { completed: false, sessionUrl: 'https://pay.example/cs' } })
  open()
  await title('Email Verified Successfully!')
  expect(screen.getByText('Taking you to the last step of joining as annual member.').getAttribute('role')).toBe(
    'status',
  )
  await pass(1_000)
  expect(api.current.of(START)).toEqual([])
  await pass(300)
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://pay.example/cs'))
  expect(api.current.of(START)[0]).toMatchObject({
    body: { levelKey: 'annual_member', email: 'meera@example.com', firstName: 'Meera', lastName: 'Raghuvanshi' },
    bearer: null,
  })
})

test('unless the visitor stays here; a button goes on then', async () => {
  replaceClock()
  api.current.on(VERIFY, verified()).on(START, { body: { completed: false, sessionUrl: 'https://pay.example/cs' } })
  open()
  fireEvent.click(await screen.findByRole('link', { name: 'Stay here' }))
  await pass(5_000)
  expect(api.current.of(START)).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Continue to payment' }))
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://pay.example/cs'))
})

test('not by itself in a tab nobody sees', async () => {
  api.current.on(VERIFY, verified())
  openHidden()
  await screen.findByRole('button', { name: 'Continue to payment' })
  expect(screen.queryByRole('link', { name: 'Stay here' })).toBeNull()
  expect(screen.queryByLabelText('Password')).toBeNull()
})

test('leaving the page stops it', async () => {
  replaceClock()
  api.current.on(VERIFY, verified())
  const { unmount } = open()
  await title('Email Verified Successfully!')
  unmount()
  await pass(5_000)
  expect(api.current.of(START)).toEqual([])
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

describe('in a browser that was not granted', () => {
  async function prove(password: string) {
    const view = open()
    await screen.findByLabelText('Password')
    if (password) await view.person.type(screen.getByLabelText('Password'), password)
    await view.person.click(screen.getByRole('button', { name: 'Continue to payment' }))
    return view
  }

  test('the password opens the way', async () => {
    api.current
      .on(VERIFY, verified({ granted: false }), verified({ alreadyVerified: true }))
      .on(START, { body: { completed: false, sessionUrl: 'https://pay.example/cs' } })
    await prove('monsoon')
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://pay.example/cs'))
    expect(api.current.of(VERIFY)[1]?.body).toEqual({ token: 'secret', password: 'monsoon' })
    expect(api.current.of(START)).toHaveLength(1)
    // Proving it is no second verification.
    await title('Email Verified Successfully!')
  })

  test('a wrong one stands under the field', async () => {
    const sentence = 'Password is incorrect'
    api.current.on(
      VERIFY,
      verified({ granted: false }),
      refusal(400, 'INVALID_INPUT', sentence, { password: sentence }),
    )
    await prove('monsoons')
    await screen.findByRole('link', { name: sentence })
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')))
    expect(api.current.of(START)).toEqual([])
  })

  test('none is asked for', async () => {
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
  ['the server', refusal(502, 'CHECKOUT_FAILED', 'The bank is asleep.'), 'The bank is asleep.'],
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

test('a grant that is over asks for the password, and logs nobody out', async () => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current
    .on(VERIFY, verified())
    .on(START, refusal(403, 'VERIFICATION_REQUIRED', 'Please verify your email address before paying.'))
  const { person } = openHidden()
  await person.click(await screen.findByRole('button', { name: 'Continue to payment' }))
  await screen.findByText('Please verify your email address before paying.')
  screen.getByLabelText('Password')
  expect(localStorage.getItem('token')).not.toBeNull()
})
