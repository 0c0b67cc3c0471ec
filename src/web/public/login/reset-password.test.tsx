import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage, stubBotCheck } from '#tests/support/web/page-test-helpers.tsx'
import ResetPasswordPage from './reset-password.tsx'

const api = useFakeApi()
const FORGOT = 'POST /api/email/forgot-password'
const RESET = 'POST /api/email/reset-password'
beforeEach(() => stubBotCheck())

describe('a forgotten password', () => {
  async function ask(email: string, at = '/reset-password') {
    const view = renderPage(ResetPasswordPage, { at })
    if (email) await view.person.type(screen.getByLabelText('Email'), email)
    await view.person.click(screen.getByRole('button', { name: /^Send Reset Link/ }))
    return view
  }

  test.each(['/reset-password', '/reset-password?token=a', '/reset-password?userId=b'])('is asked for at %s', (at) => {
    renderPage(ResetPasswordPage, { at })
    screen.getByRole('heading', { name: 'Reset your password' })
    expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/auth/login')
  })

  test.each([
    ['', 'Email is required'],
    ['meera', 'Please enter a valid email address'],
  ])('%j: %s, and the field has the focus', async (email, sentence) => {
    await ask(email)
    const field = screen.getByLabelText('Email')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(sentence)
    expect(screen.getByRole('link', { name: sentence }).getAttribute('href')).toBe(`#${field.id}`)
    expect(api.current.sent).toEqual([])
  })

  test('shows the same result for every address', async () => {
    api.current.on(FORGOT, { body: { success: true } })
    await ask('meera@example.com')
    const heading = await screen.findByRole('heading', { name: 'Check Your Email' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    screen.getByText('meera@example.com')
    expect(api.current.sent[0]?.body).toEqual({
      email: 'meera@example.com',
      recaptchaToken: 'token for password_reset',
    })
  })

  test.each([
    [errorResponse(400, 'BOT_CHECK_FAILED', 'The server says why.'), 'The server says why.'],
    [{ body: { success: false, error: 'Not now.' } }, 'Not now.'],
    [{ body: { success: false } }, 'Failed to send reset email'],
    [{ status: 500 }, 'Failed to send reset email'],
    ['no network' as const, 'Failed to send reset email. Please try again.'],
  ])('%j', async (answer, sentence) => {
    api.current.on(FORGOT, answer)
    await ask('meera@example.com')
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('meera@example.com')
  })

  test('without a bot-check token nothing is sent', async () => {
    stubBotCheck(() => Promise.reject(new Error('no')))
    await ask('meera@example.com')
    expect((await screen.findByRole('alert')).textContent).toBe('reCAPTCHA verification failed. Please try again.')
  })
})

describe('a new password', () => {
  async function choose(newPassword: string, confirmPassword: string) {
    const view = renderPage(ResetPasswordPage, { at: '/reset-password?token=secret&userId=u1' })
    await screen.findByRole('heading', { name: 'Choose a new password' })
    if (newPassword) await view.person.type(screen.getByLabelText('New password'), newPassword)
    if (confirmPassword) await view.person.type(screen.getByLabelText('Confirm new password'), confirmPassword)
    await view.person.click(screen.getByRole('button', { name: /^Reset Password/ }))
    return view
  }

  test('the link’s secrets leave the address bar and survive a reload', async () => {
    const first = renderPage(ResetPasswordPage, { at: '/reset-password?token=secret&userId=u1' })
    await screen.findByRole('heading', { name: 'Choose a new password' })
    expect(window.location.search).toBe('')
    // A reload keeps the history entry and its state.
    const historyState: unknown = window.history.state
    first.unmount()
    renderPage(ResetPasswordPage, { at: '/reset-password', historyState })
    await screen.findByRole('heading', { name: 'Choose a new password' })
  })

  test('opening the page again finds no old secrets', () => {
    sessionStorage.setItem('address:/reset-password', '{"token":"a","userId":"b"}')
    renderPage(ResetPasswordPage, { at: '/reset-password' })
    screen.getByRole('heading', { name: 'Reset your password' })
  })

  test('all errors at once, with the focus on the first field', async () => {
    await choose('abc', 'abd')
    await screen.findByRole('link', { name: 'Password must be at least 6 characters long' })
    screen.getByRole('link', { name: 'Passwords do not match' })
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('New password')))
  })

  test('an empty one', async () => {
    await choose('', '')
    await screen.findByRole('link', { name: 'New password is required' })
  })

  test('success ends this browser’s session and leads to the login page', async () => {
    localStorage.setItem('token', tokenFor(3_600))
    api.current.on(RESET, { body: { success: true } })
    await choose('monsoon', 'monsoon')
    await screen.findByRole('heading', { name: 'Password Reset Successfully!' })
    expect(screen.getByRole('link', { name: 'Continue to Login' }).getAttribute('href')).toBe('/auth/login')
    expect(api.current.sent[0]?.body).toEqual({ token: 'secret', userId: 'u1', newPassword: 'monsoon' })
    expect(localStorage.getItem('token')).toBeNull()
  })

  test('a link that no longer works leads to a new one', async () => {
    const sentence = 'Invalid reset link. Please request a new password reset.'
    api.current.on(RESET, errorResponse(400, 'RESET_LINK_INVALID', sentence))
    const { person } = await choose('monsoon', 'monsoon')
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    await person.click(screen.getByRole('button', { name: 'Send a new link' }))
    screen.getByRole('heading', { name: 'Reset your password' })
  })

  test('a server-side error is shown under the field', async () => {
    const sentence = 'This password is too common. Please choose another.'
    api.current.on(RESET, errorResponse(400, 'INVALID_INPUT', sentence, { newPassword: sentence }))
    const { person } = await choose('123456', '123456')
    await screen.findByRole('link', { name: sentence })
    await person.type(screen.getByLabelText('New password'), '7')
    expect(screen.queryByText(sentence)).toBeNull()
  })

  test.each([
    [{ body: { success: false, message: 'No.' } }, 'No.'],
    [{ body: { success: false } }, 'Password reset failed'],
    [{ status: 500 }, 'Password reset failed'],
    ['no network' as const, 'Failed to reset password. Please try again.'],
  ])('%j', async (answer, sentence) => {
    api.current.on(RESET, answer)
    await choose('monsoon', 'monsoon')
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
  })
})
