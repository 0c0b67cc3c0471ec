import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { storePendingRegistration } from './pending-registration.ts'
// Imported before the clock is faked, since loading a module takes real time.
import './verification-calls.ts'
import EmailVerificationPage from './email-verification.tsx'
import { renderPage, stubBotCheck, user } from '#tests/support/web/page-test-helpers.tsx'

const api = useFakeApi()
const VERIFY = 'POST /api/auth/verify-email'
const RESEND = 'POST /api/auth/resend-verification'
const WITH_TOKEN = '/email-verification?email=meera%40example.com&token=secret'

beforeEach(() => stubBotCheck())
function open(at = WITH_TOKEN) {
  return renderPage(EmailVerificationPage, { at })
}

const verified = (over: object = {}) => ({
  body: { alreadyVerified: false, user, next: 'checkout', nextLevelKey: 'annual_member', granted: true, ...over },
})
const title = (name: string) => screen.findByRole('heading', { level: 1, name })

describe('the email’s link', () => {
  test('is verified immediately, and its token leaves the address bar', async () => {
    api.current.on(VERIFY, 'never')
    open()
    await title('Verifying your email')
    await waitFor(() => expect(api.current.requestsTo(VERIFY)[0]?.body).toEqual({ token: 'secret' }))
    expect(window.location.search).toBe('?email=meera%40example.com')
  })

  test.each([
    [false, 'Email Verified Successfully!'],
    [true, 'Email Already Verified!'],
  ])('already verified before: %s', async (alreadyVerified, heading) => {
    storePendingRegistration({ email: 'meera@example.com', name: { first: 'Meera' } })
    api.current.on(VERIFY, verified({ alreadyVerified, granted: false }))
    open()
    const shown = await title(heading)
    await waitFor(() => expect(document.activeElement).toBe(shown))
    expect(localStorage.getItem('tempUser')).toBeNull()
    expect(api.current.requestsTo(VERIFY)).toHaveLength(1)
  })

  test('of an active account leads to the login page', async () => {
    api.current.on(VERIFY, verified({ alreadyVerified: true, next: 'login', nextLevelKey: undefined, granted: false }))
    open()
    await title('Email Already Verified!')
    expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/auth/login')
  })

  test('without a next step offers a new registration', async () => {
    api.current.on(VERIFY, { body: { alreadyVerified: true, granted: false } })
    open()
    await title('Email Already Verified!')
    expect(screen.getByRole('link', { name: 'Start New Registration' }).getAttribute('href')).toBe('/become-a-member')
  })

  test('expired: another one, or start over', async () => {
    api.current.on(VERIFY, errorResponse(410, 'LINK_EXPIRED', 'x')).on(RESEND, { status: 204 })
    const { person } = open()
    await title('Link Expired')
    screen.getByText('This verification link has expired. Please request a new one.')
    screen.getByRole('link', { name: 'Start New Registration' })
    await person.click(screen.getByRole('button', { name: 'Resend verification email' }))
    await screen.findByText('Verification link resent successfully!')
    screen.getByLabelText('Verification code')
  })

  test('of an expired registration', async () => {
    api.current.on(VERIFY, errorResponse(410, 'REGISTRATION_EXPIRED', 'x'))
    open()
    await title('Registration expired')
    screen.getByText('Your registration has expired. Please register again.')
    screen.getByRole('link', { name: 'Start New Registration' })
  })

  test.each([
    [errorResponse(400, 'X', 'The server says why.'), 'The server says why.'],
    [{ status: 500 }, 'Verification failed'],
    [{ body: { odd: true } }, 'Failed to complete verification. Please try again.'],
    ['no network' as const, 'Network error. Please try again.'],
  ])('%j, and again on retry', async (answer, sentence) => {
    api.current.on(VERIFY, answer)
    const { person } = open()
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    screen.getByText('office@example.org')
    api.current.on(VERIFY, verified({ granted: false }))
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await title('Email Verified Successfully!')
  })

  test('works after a reload', async () => {
    api.current.on(VERIFY, verified({ granted: false }))
    const first = open()
    await title('Email Verified Successfully!')
    const historyState: unknown = window.history.state
    first.unmount()
    renderPage(EmailVerificationPage, { at: '/email-verification?email=meera%40example.com', historyState })
    await title('Email Verified Successfully!')
  })
})

describe('waiting for the email', () => {
  const AT = '/email-verification?email=meera%40example.com'

  test('shows the address, the way back and whom to contact', async () => {
    open(AT)
    await title('Check your email')
    await screen.findByText('meera@example.com')
    screen.getByRole('link', { name: 'Back to registration' })
    screen.getByRole('link', { name: 'office@example.org' })
  })

  test('the code can be typed', async () => {
    api.current.on(VERIFY, verified({ granted: false }))
    const { person } = open(AT)
    await person.type(await screen.findByLabelText('Verification code'), ' 123 456 ')
    await person.click(screen.getByRole('button', { name: 'Verify email' }))
    const shown = await title('Email Verified Successfully!')
    await waitFor(() => expect(document.activeElement).toBe(shown))
    expect(api.current.requestsTo(VERIFY)[0]?.body).toEqual({ email: 'meera@example.com', code: '123456' })
  })

  test('an empty code is an error', async () => {
    const { person } = open(AT)
    await screen.findByLabelText('Verification code')
    await person.click(screen.getByRole('button', { name: 'Verify email' }))
    await screen.findByRole('link', { name: 'Please enter the 6-digit code from the email.' })
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Verification code')))
  })

  test('a wrong code is an error under the field', async () => {
    const sentence = 'This code is not right or has expired.'
    api.current.on(VERIFY, errorResponse(400, 'INVALID_INPUT', sentence, { code: sentence }))
    const { person } = open(AT)
    await person.type(await screen.findByLabelText('Verification code'), '111111')
    await person.click(screen.getByRole('button', { name: 'Verify email' }))
    await screen.findByRole('link', { name: sentence })
    expect(screen.getByLabelText<HTMLInputElement>('Verification code').value).toBe('111111')
  })

  test('a code of an expired registration ends the waiting', async () => {
    api.current.on(VERIFY, errorResponse(410, 'REGISTRATION_EXPIRED', 'x'))
    const { person } = open(AT)
    await person.type(await screen.findByLabelText('Verification code'), '111111')
    await person.click(screen.getByRole('button', { name: 'Verify email' }))
    await title('Registration expired')
  })

  async function resend(at = AT) {
    const view = open(at)
    await view.person.click(await screen.findByRole('button', { name: 'Resend verification email' }))
    return view
  }

  test('the email can be sent again', async () => {
    api.current.on(RESEND, { status: 204 })
    await resend()
    const banner = (await screen.findByText('Verification link resent successfully!')).closest('.banner')
    await waitFor(() => expect(document.activeElement).toBe(banner))
    expect(api.current.requestsTo(RESEND)[0]).toMatchObject({
      body: { email: 'meera@example.com', recaptchaToken: 'token for resend_verification' },
      bearer: null,
    })
  })

  test('a logged-in member sends an empty body', async () => {
    localStorage.setItem('token', tokenFor(3_600))
    api.current.on(RESEND, { status: 204 })
    await resend()
    await screen.findByText('Verification link resent successfully!')
    expect(api.current.requestsTo(RESEND)[0]).toMatchObject({ body: {}, bearer: localStorage.getItem('token') })
  })

  test.each([
    [errorResponse(429, 'RATE_LIMITED', 'Too many attempts.'), 'Too many attempts.'],
    [{ status: 500 }, 'Failed to resend email. Please try again later.'],
    ['no network' as const, 'Network error. Please try again.'],
  ])('sending again: %j', async (answer, sentence) => {
    api.current.on(RESEND, answer)
    await resend()
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
  })

  test('sending again without a bot-check token', async () => {
    stubBotCheck(() => Promise.reject(new Error('no')))
    await resend()
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Unable to resend verification email. Please try again or contact support.',
    )
  })

  test('an address missing from the link comes from the pending registration', async () => {
    storePendingRegistration({ email: 'kept@example.com', name: { first: 'Meera' } })
    open('/email-verification')
    await screen.findByText('kept@example.com')
  })

  test('or is asked for', async () => {
    const { person } = open('/email-verification')
    await person.type(await screen.findByLabelText('Email'), 'meera')
    await person.click(screen.getByRole('button', { name: 'Continue' }))
    await screen.findByRole('link', { name: 'Please enter a valid email address' })
    await person.type(screen.getByLabelText('Email'), '@example.com')
    await person.click(screen.getByRole('button', { name: 'Continue' }))
    await screen.findByLabelText('Verification code')
  })
})
