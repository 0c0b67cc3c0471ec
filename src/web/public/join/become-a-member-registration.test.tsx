import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { errorResponse, useFakeApi } from '#tests/support/web/fake-api.ts'
// Imported before the tests, since loading a module takes real time.
import './registration/registration-form.tsx'
import BecomeAMemberPage from './become-a-member.tsx'
import {
  plainHead,
  annual,
  life,
  plainJoinPage,
  renderPage,
  stubBotCheck,
} from '#tests/support/web/page-test-helpers.tsx'
import { recordFieldSample } from '#tests/support/web/record-sample.ts'

const api = useFakeApi()
const LEVELS = 'GET /api/membership-levels'
const REGISTER = 'POST /api/auth/register'
const levels = [annual, life]

beforeEach(() => {
  stubBotCheck()
  api.current.on(LEVELS, { body: levels })
})

function open() {
  return renderPage(BecomeAMemberPage, {
    at: '/become-a-member',
    loaderData: { levels, page: plainJoinPage, head: plainHead, fields: [] },
  })
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })

async function choose() {
  const view = open()
  await view.person.click(button('Select annual member'))
  await screen.findByLabelText('Email')
  return view
}

const good: [string, string][] = [
  ['Email', 'meera@example.com'],
  ['Username', 'meera.r'],
  ['First name', 'Meera'],
  ['Last name', 'Raghuvanshi'],
  ['Password', 'monsoon'],
  ['Confirm password', 'monsoon'],
]

async function fill(person: ReturnType<typeof open>['person'], except: Record<string, string> = {}) {
  for (const [label, value] of good) {
    const text = except[label] ?? value
    if (text) await person.type(screen.getByLabelText(label), text)
  }
  await person.click(screen.getByRole('checkbox'))
}

const submit = () => button(/^Create account/)

test('replaces the plans, and going back keeps what was typed', async () => {
  const { person } = await choose()
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2, name: 'Annual Member' }))
  expect(screen.queryByRole('button', { name: 'Select life member' })).toBeNull()
  expect(screen.getByRole('link', { name: 'terms and conditions' }).getAttribute('href')).toBe('/terms-conditions')
  expect(screen.getByRole('link', { name: 'privacy policy' }).getAttribute('href')).toBe('/privacy-policy')
  await person.type(screen.getByLabelText('Email'), 'meera@example.com')
  await person.type(screen.getByLabelText('Password'), 'monsoon')
  await person.click(button('Back to the plans'))
  expect(document.activeElement).toBe(button('Select annual member'))
  await person.click(button('Select life member'))
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe('meera@example.com')
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('')
})

test('the button waits until everything is valid, and says why', async () => {
  const { person } = await choose()
  expect(submit().disabled).toBe(true)
  screen.getByText('Fill in every field to continue.')
  await person.type(screen.getByLabelText('Email'), 'meera')
  screen.getByText('Please enter a valid email address')
  screen.getByText('Correct the marked field to continue.')
  await person.clear(screen.getByLabelText('Email'))
  screen.getByText('Email is required')
  await fill(person)
  expect(submit().disabled).toBe(false)
  await person.click(screen.getByRole('checkbox'))
  screen.getByText('You must agree to the terms and conditions')
  expect(submit().disabled).toBe(true)
})

test('edited fields show errors while typing', async () => {
  const { person } = await choose()
  await person.type(screen.getByLabelText('Username'), '.m')
  screen.getByText('Username must be at least 3 characters')
  await person.type(screen.getByLabelText('Username'), 'ee')
  screen.getByText(/^Username must contain only/)
  await person.type(screen.getByLabelText('Password'), 'abc')
  screen.getByText('Password must be at least 6 characters')
  expect(screen.queryByText('Please confirm your password')).toBeNull()
  await person.type(screen.getByLabelText('Confirm password'), 'abd')
  screen.getByText('Passwords do not match')
  expect(screen.getByLabelText<HTMLInputElement>('First name').maxLength).toBe(50)
  expect(screen.getByLabelText<HTMLInputElement>('Last name').maxLength).toBe(50)
})

test('runs the bot check, the reachability check and the registration, then opens the verification page', async () => {
  api.current.on(REGISTER, {
    status: 201,
    body: { userId: 'u1', message: 'ok', recaptcha: { score: 0.9, action: 'registration', success: true } },
  })
  const { person } = await choose()
  await waitFor(() => expect(api.current.requestsTo(LEVELS)).toHaveLength(2))
  await fill(person)
  await person.click(submit())
  await screen.findByText('At /email-verification?email=meera%40example.com')
  expect(api.current.sent.slice(2).map(({ method, path }) => `${method} ${path}`)).toEqual([LEVELS, REGISTER])
  expect(api.current.requestsTo(REGISTER)[0]?.body).toEqual({
    email: 'meera@example.com',
    username: 'meera.r',
    firstName: 'Meera',
    lastName: 'Raghuvanshi',
    password: 'monsoon',
    levelKey: 'annual_member',
    recaptchaToken: 'token for registration',
  })
  expect(JSON.parse(localStorage.getItem('tempUser') ?? '')).toMatchObject({
    email: 'meera@example.com',
    name: { first: 'Meera' },
  })
  expect(localStorage.getItem('tempUser')).not.toContain('monsoon')
})

test('a taken username is an error under its field, which has the focus', async () => {
  const sentence = 'This username is already taken. Please choose another.'
  api.current.on(REGISTER, errorResponse(409, 'USERNAME_TAKEN', sentence, { username: sentence }))
  const { person } = await choose()
  await fill(person)
  await person.click(submit())
  await screen.findByText('One thing needs another look')
  const field = screen.getByLabelText<HTMLInputElement>('Username')
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('monsoon')
  await person.type(field, '2')
  expect(screen.queryByText(sentence)).toBeNull()
  expect(submit().disabled).toBe(false)
})

test('several errors: the focus is on the first in the specified order', async () => {
  api.current.on(REGISTER, errorResponse(400, 'INVALID_INPUT', 'A', { password: 'Too common.', email: 'Odd.' }))
  const { person } = await choose()
  await fill(person)
  await person.click(submit())
  await screen.findByText('2 things need another look')
  expect(screen.getAllByRole('link', { name: /Odd|common/ }).map(({ textContent }) => textContent)).toEqual([
    'Odd.',
    'Too common.',
  ])
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')))
})

const failures: [string, () => void, string][] = [
  [
    'the bot check',
    () => stubBotCheck(() => Promise.reject(new Error('no'))),
    'Security verification failed. Please refresh the page and try again.',
  ],
  [
    'no network',
    () => api.current.on(LEVELS, { body: levels }, { body: levels }, 'no network'),
    'Unable to connect to the server. Please check your internet connection and try again.',
  ],
  [
    'no network at the last step',
    () => api.current.on(REGISTER, 'no network'),
    'Unable to connect to the server. Please check your internet connection and try again.',
  ],
  [
    'the server',
    () => api.current.on(REGISTER, errorResponse(503, 'X', 'The server says why.')),
    'The server says why.',
  ],
  [
    'a server without words',
    () => api.current.on(REGISTER, { status: 502, statusText: 'Bad Gateway' }),
    'Server error: 502 Bad Gateway',
  ],
  ['an unreadable success', () => api.current.on(REGISTER, { status: 201, body: {} }), 'Failed to create user account'],
]
test.each(failures)('%s: the message has the focus, and the form keeps its values', async (_, prepare, sentence) => {
  const { person } = await choose()
  await waitFor(() => expect(api.current.requestsTo(LEVELS)).toHaveLength(2))
  prepare()
  await fill(person)
  if (_ === 'no network') api.current.on(LEVELS, 'no network')
  await person.click(submit())
  const box = await screen.findByRole('alert')
  expect(box.textContent).toContain(sentence)
  await waitFor(() => expect(document.activeElement).toBe(box))
  for (const [label, value] of good) expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe(value)
  expect(submit().disabled).toBe(false)
})

describe('fields of the member record', () => {
  const asked = [
    recordFieldSample('school', { asked: 'joining', isRequired: true }),
    recordFieldSample('languages', { asked: 'joining', kind: 'choices', choices: ['Hindi', 'Tamil'] }),
    recordFieldSample('program', { asked: 'joining', levels: ['resident_fellow'] }),
  ]

  async function chooseWith(fields: typeof asked) {
    const loaderData = { levels, page: plainJoinPage, head: plainHead, fields }
    const view = renderPage(BecomeAMemberPage, { at: '/become-a-member', loaderData })
    await view.person.click(button('Select annual member'))
    await screen.findByLabelText('Email')
    return view
  }

  test('are asked of the members of a level, checked and sent', async () => {
    api.current.on(REGISTER, { status: 201, body: { userId: 'u', message: '', recaptcha: {} } })
    const { person } = await chooseWith(asked)
    expect(screen.queryByLabelText(/Program/)).toBeNull()
    for (const [label, value] of good) await person.type(screen.getByLabelText(label), value)
    await person.click(screen.getByRole('checkbox', { name: /I agree/ }))
    expect(submit().disabled).toBe(true)
    await person.type(screen.getByLabelText('School'), 'KMC')
    await person.click(screen.getByRole('checkbox', { name: 'Tamil' }))
    await waitFor(() => expect(submit().disabled).toBe(false))
    await person.click(submit())
    await waitFor(() => expect(api.current.requestsTo(REGISTER)).toHaveLength(1))
    expect(api.current.requestsTo(REGISTER)[0]?.body).toMatchObject({ record: { school: 'KMC', languages: ['Tamil'] } })
  })

  test('show the error of the server, and keep what was typed when going back to the plans', async () => {
    const sentence = 'Please fill in this field'
    api.current.on(REGISTER, errorResponse(400, 'INVALID_INPUT', sentence, { 'record.school': sentence }))
    const { person } = await chooseWith(asked)
    await person.type(screen.getByLabelText('School'), 'KMC')
    await person.click(screen.getByRole('checkbox', { name: 'Hindi' }))
    await person.click(button('Back to the plans'))
    await person.click(button('Select life member'))
    expect((await screen.findByLabelText<HTMLInputElement>('School')).value).toBe('KMC')
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Hindi' }).checked).toBe(true)
    for (const [label, value] of good) await person.type(screen.getByLabelText(label), value)
    await person.click(screen.getByRole('checkbox', { name: /I agree/ }))
    await waitFor(() => expect(submit().disabled).toBe(false))
    await person.click(submit())
    await waitFor(() => expect(screen.getByLabelText('School').getAttribute('aria-invalid')).toBe('true'))
  })
})
