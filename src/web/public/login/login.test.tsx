import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import LoginPage from './login.tsx'
import { annual, renderPage, stubBotCheck, subscriptionTo, user } from '#tests/support/web/page-test-helpers.tsx'

const api = useFakeApi()
const LOGIN = 'POST /api/auth/login'
const token = tokenFor(3_600)
beforeEach(() => stubBotCheck())

function welcome() {
  api.current.on(LOGIN, { body: { token, user, subscription: subscriptionTo(annual) } })
}

async function logIn(at = '/auth/login') {
  const view = renderPage(LoginPage, { at })
  await view.person.type(screen.getByLabelText('Email or username'), ' meera.r ')
  await view.person.type(screen.getByLabelText('Password'), 'monsoon')
  await view.person.click(button())
  return view
}

const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Log in/ })

test('the button waits for both fields and says why', async () => {
  const { person } = renderPage(LoginPage, { at: '/auth/login' })
  expect(button().disabled).toBe(true)
  screen.getByText('Please enter your email/username and password.')
  await person.type(screen.getByLabelText('Email or username'), 'm')
  await person.type(screen.getByLabelText('Password'), 'p')
  expect(button().disabled).toBe(false)
  expect(screen.queryByText('Please enter your email/username and password.')).toBeNull()
  await person.clear(screen.getByLabelText('Email or username'))
  await person.type(screen.getByLabelText('Email or username'), '  ')
  expect(button().disabled).toBe(true)
})

test('the page explains why the visitor was logged out', async () => {
  renderPage(LoginPage, { at: '/auth/login', state: { loggedOutBecause: 'Your session has expired.' } })
  expect((await screen.findByRole('alert')).textContent).toBe('Your session has expired.')
})

test('success stores token and user and leads to the home page', async () => {
  welcome()
  await logIn()
  await screen.findByText('At /')
  expect(api.current.sent[0]?.body).toEqual({
    identifier: 'meera.r',
    password: 'monsoon',
    recaptchaToken: 'token for login',
  })
  expect(localStorage.getItem('token')).toBe(token)
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(user)
})

test.each([
  ['/auth/login?next=%2Fauth%2Faccount%3Fa%3D1', 'At /auth/account?a=1'],
  ['/auth/login?next=%2F%2Fevil.example', 'At /'],
  ['/auth/login?next=https%3A%2F%2Fevil.example', 'At /'],
])('success at %s: %s', async (at, where) => {
  welcome()
  await logIn(at)
  await screen.findByText(where)
})

test.each([
  [
    errorResponse(401, 'INVALID_CREDENTIALS', 'Invalid email/username or password.'),
    'Invalid email/username or password.',
  ],
  [errorResponse(403, 'ACCOUNT_INACTIVE', 'Account is not active.'), 'Account is not active.'],
  [errorResponse(429, 'RATE_LIMITED', 'Too many attempts.'), 'Too many attempts.'],
  [{ status: 502, statusText: 'Bad Gateway' }, 'Bad Gateway'],
  [{ status: 500 }, 'Login failed. Please try again.'],
  ['no network' as const, 'Unable to connect to the server. Please check your internet connection.'],
])('%j is shown in a focused banner, and the form keeps its values', async (answer, sentence) => {
  api.current.on(LOGIN, answer)
  localStorage.setItem('token', token)
  await logIn()
  const box = await screen.findByRole('alert')
  expect(box.textContent).toContain(sentence)
  await waitFor(() => expect(document.activeElement).toBe(box))
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('monsoon')
  expect(button().disabled).toBe(false)
  // Login is one of the calls that never log out.
  expect(localStorage.getItem('token')).toBe(token)
})

test('without a bot-check token nothing is sent', async () => {
  stubBotCheck(() => Promise.reject(new Error('no')))
  await logIn()
  expect((await screen.findByRole('alert')).textContent).toContain('reCAPTCHA verification failed. Please try again.')
  expect(api.current.sent).toEqual([])
})

test('a second attempt requests a new token', async () => {
  let count = 0
  stubBotCheck(() => Promise.resolve(`token ${++count}`))
  api.current.on(LOGIN, errorResponse(401, 'INVALID_CREDENTIALS', 'Wrong.'))
  const { person } = await logIn()
  await screen.findByRole('alert')
  await person.click(button())
  await waitFor(() => expect(api.current.sent).toHaveLength(2))
  expect(api.current.sent.map(({ body }) => (body as { recaptchaToken: string }).recaptchaToken)).toEqual([
    'token 1',
    'token 2',
  ])
})

test('leads to a forgotten password and to joining', () => {
  renderPage(LoginPage, { at: '/auth/login' })
  expect(screen.getByRole('link', { name: 'Forgot your password?' }).getAttribute('href')).toBe('/reset-password')
  expect(screen.getByRole('link', { name: 'Become a member' }).getAttribute('href')).toBe('/become-a-member')
})
