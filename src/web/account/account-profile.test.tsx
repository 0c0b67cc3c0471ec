import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { errorResponse } from '#tests/support/web/fake-api.ts'
import {
  button,
  errorUnder,
  field,
  GET_PROFILE,
  openAccount,
  useMembersApi,
} from '#tests/support/web/account-test-helpers.tsx'
import { advanceTime, profile, fakeClock } from '#tests/support/web/page-test-helpers.tsx'

const api = useMembersApi()
const PUT = 'PUT /api/account/profile'
afterEach(() => vi.useRealTimers())
const SESSION_GONE: [number, string, string][] = [
  [401, 'SESSION_EXPIRED', 'Your session has expired. Please log in again.'],
  [
    403,
    'ACCOUNT_INACTIVE',
    'Your account has been deactivated. Please contact support if you believe this is an error.',
  ],
]

async function retype(person: Awaited<ReturnType<typeof openAccount>>, label: string, text: string) {
  await person.clear(field(label))
  if (text) await person.type(field(label), text)
}

describe('editing the profile', () => {
  async function edit() {
    const person = await openAccount('profile', 'Profile Information')
    await person.click(button('Edit profile'))
    return person
  }

  test('starts with the saved values and the focus in the first field', async () => {
    await edit()
    expect(field('Username').value).toBe('meera.r')
    expect(field('First name').value).toBe('Meera')
    expect(field('Last name').value).toBe('Raghuvanshi')
    expect(document.activeElement).toBe(field('Username'))
    expect(screen.queryByRole('button', { name: 'Edit profile' })).toBeNull()
  })

  test('sends username, name and the values it was based on; confirms for 5 seconds and a fade of 0.3', async () => {
    fakeClock()
    const person = await edit()
    const saved = { ...profile, username: 'meera.new', name: { first: 'Mira', last: 'Raghuvanshi' } }
    api.current.on(PUT, { body: { profile: saved } })
    await retype(person, 'Username', 'meera.new')
    await retype(person, 'First name', 'Mira')
    await person.click(button('Save changes'))
    const message = await screen.findByText('Profile updated successfully!')
    expect(api.current.requestsTo(PUT)[0]?.body).toEqual({
      username: 'meera.new',
      name: { first: 'Mira', last: 'Raghuvanshi' },
      seen: { username: 'meera.r', name: { first: 'Meera', last: 'Raghuvanshi' } },
    })
    expect(screen.getByText('Username').nextElementSibling?.textContent).toBe('meera.new')
    expect(document.activeElement).toBe(button('Edit profile'))
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(saved)
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({ username: 'meera.new' })

    const box = message.closest('[role=status]')
    await advanceTime(4_800)
    expect(box?.hasAttribute('data-fading')).toBe(false)
    await advanceTime(300)
    expect(box?.hasAttribute('data-fading')).toBe(true)
    screen.getByText('Profile updated successfully!')
    await advanceTime(300)
    expect(screen.queryByText('Profile updated successfully!')).toBeNull()
  })

  test('editing again hides the message immediately', async () => {
    const person = await edit()
    api.current.on(PUT, { body: { profile } })
    await person.click(button('Save changes'))
    await screen.findByText('Profile updated successfully!')
    await person.click(button('Edit profile'))
    expect(screen.queryByText('Profile updated successfully!')).toBeNull()
  })

  test('can be canceled: nothing is sent and nothing is changed', async () => {
    const person = await edit()
    await retype(person, 'Username', 'something-else')
    await person.click(button('Cancel'))
    expect(screen.getByText('Username').nextElementSibling?.textContent).toBe('meera.r')
    expect(document.activeElement).toBe(button('Edit profile'))
    expect(api.current.requestsTo(PUT)).toEqual([])
    await person.click(button('Edit profile'))
    expect(field('Username').value).toBe('meera.r')
  })

  test('shows all errors at once, and sends nothing', async () => {
    const person = await edit()
    await retype(person, 'Username', 'ab')
    await retype(person, 'First name', '')
    await retype(person, 'Last name', '')
    await person.click(button('Save changes'))
    expect(errorUnder('Username')).toBe('Username must be at least 3 characters long')
    expect(errorUnder('First name')).toBe('First name is required')
    expect(errorUnder('Last name')).toBe('Last name is required')
    expect(document.activeElement).toBe(field('Username'))
    expect(api.current.requestsTo(PUT)).toEqual([])
  })

  test('a taken username is an error under its field', async () => {
    const sentence = 'This username is already taken. Please choose another.'
    api.current.on(PUT, errorResponse(409, 'USERNAME_TAKEN', sentence, { username: sentence }))
    const person = await edit()
    await retype(person, 'Username', 'taken')
    await person.click(button('Save changes'))
    await waitFor(() => expect(errorUnder('Username')).toBe(sentence))
    expect(field('Username').value).toBe('taken')
  })

  test('after a change in another tab the form keeps its values and shows the saved ones; saving again overwrites them', async () => {
    const sentence = 'Your profile was changed somewhere else meanwhile.'
    const theirs = { ...profile, username: 'other.tab', name: { first: 'Other', last: 'Tab' } }
    const mine = { ...profile, name: { first: 'Mira', last: 'Raghuvanshi' } }
    api.current.on(PUT, errorResponse(409, 'PROFILE_CHANGED', sentence), { body: { profile: mine } })
    const person = await edit()
    await retype(person, 'First name', 'Mira')
    api.current.on(GET_PROFILE, { body: { profile: theirs, subscription: null } })
    await person.click(button('Save changes'))
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    expect(screen.getByText(/Saved elsewhere/).textContent).toBe('Saved elsewhere: username other.tab, name Other Tab.')
    expect(field('First name').value).toBe('Mira')
    await person.click(button('Save changes'))
    await screen.findByText('Profile updated successfully!')
    expect(api.current.requestsTo(PUT)[1]?.body).toMatchObject({
      name: { first: 'Mira' },
      seen: { username: 'other.tab', name: { first: 'Other', last: 'Tab' } },
    })
  })

  test.each([
    [errorResponse(500, 'INTERNAL', 'The bank is asleep.'), 'The bank is asleep.'],
    [{ status: 500 }, 'Failed to update profile'],
    ['no network' as const, 'Failed to update profile'],
  ])('%j: %s, and the form keeps its values', async (answer, sentence) => {
    api.current.on(PUT, answer)
    const person = await edit()
    await retype(person, 'First name', 'Mira')
    await person.click(button('Save changes'))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe(sentence)
    await waitFor(() => expect(document.activeElement).toBe(alert))
    expect(field('First name').value).toBe('Mira')
  })

  test('without a token', async () => {
    const person = await edit()
    localStorage.removeItem('token')
    await person.click(button('Save changes'))
    expect((await screen.findByRole('alert')).textContent).toBe('Please log in to update your profile')
    expect(api.current.requestsTo(PUT)).toEqual([])
  })

  test.each(SESSION_GONE)('%i replaces the page, with a link to log in', async (status, code, sentence) => {
    api.current.on(PUT, errorResponse(status, code, 'x'))
    const person = await edit()
    await person.click(button('Save changes'))
    await screen.findByText(sentence)
    expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe(
      '/auth/login?next=%2Fauth%2Faccount%2Fprofile',
    )
    expect(localStorage.getItem('token')).toBeNull()
  })
})
