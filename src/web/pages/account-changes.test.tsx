import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { refusal, tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import { preloadDialog } from '#web/ui/dialog.tsx'
import AccountPage from './account.tsx'
import { annual, pass, profile, renderPage, replaceClock, subscriptionTo } from './render-page.tsx'

const api = useFakeApi()
const GET = 'GET /api/account/profile'
const PUT = 'PUT /api/account/profile'
const PASSWORD = 'PUT /api/account/password'
const DELETE = 'DELETE /api/account'
const EMAIL = 'POST /api/account/email'
const DEVICES = 'GET /api/account/devices'

beforeEach(() => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on(GET, { body: { profile, subscription: subscriptionTo(annual) } })
})
afterEach(() => vi.useRealTimers())

async function open() {
  const view = renderPage(AccountPage, { at: '/auth/account' })
  await screen.findByRole('heading', { name: 'Profile Information' })
  return view
}

const button = (name: string) => screen.getByRole('button', { name })
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const errorUnder = (label: string) =>
  document.getElementById(field(label).getAttribute('aria-describedby')?.split(' ').at(-1) ?? '')?.textContent
const SESSION_GONE: [number, string, string][] = [
  [401, 'SESSION_EXPIRED', 'Your session has expired. Please log in again.'],
  [
    403,
    'ACCOUNT_INACTIVE',
    'Your account has been deactivated. Please contact support if you believe this is an error.',
  ],
]

async function retype(person: Awaited<ReturnType<typeof open>>['person'], label: string, text: string) {
  await person.clear(field(label))
  if (text) await person.type(field(label), text)
}

describe('editing the profile', () => {
  async function edit() {
    const { person } = await open()
    await person.click(button('Edit profile'))
    return person
  }

  test('begins with what is there, the focus in the first field', async () => {
    await edit()
    expect(field('Username').value).toBe('meera.r')
    expect(field('First name').value).toBe('Meera')
    expect(field('Last name').value).toBe('Raghuvanshi')
    expect(document.activeElement).toBe(field('Username'))
    expect(screen.queryByRole('button', { name: 'Edit profile' })).toBeNull()
  })

  test('sends username, name and what was seen; says so for 5 seconds and a fade of 0.3', async () => {
    replaceClock()
    const person = await edit()
    const saved = { ...profile, username: 'meera.new', name: { first: 'Mira', last: 'Raghuvanshi' } }
    api.current.on(PUT, { body: { profile: saved } })
    await retype(person, 'Username', 'meera.new')
    await retype(person, 'First name', 'Mira')
    await person.click(button('Save changes'))
    const message = await screen.findByText('Profile updated successfully!')
    expect(api.current.of(PUT)[0]?.body).toEqual({
      username: 'meera.new',
      name: { first: 'Mira', last: 'Raghuvanshi' },
      seen: { username: 'meera.r', name: { first: 'Meera', last: 'Raghuvanshi' } },
    })
    expect(screen.getByText('Username').nextElementSibling?.textContent).toBe('meera.new')
    expect(document.activeElement).toBe(button('Edit profile'))
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(saved)
    screen.getByText('Signed in as meera.new')

    const box = message.closest('[role=status]')
    await pass(4_800)
    expect(box?.hasAttribute('data-fading')).toBe(false)
    await pass(300)
    expect(box?.hasAttribute('data-fading')).toBe(true)
    screen.getByText('Profile updated successfully!')
    await pass(300)
    expect(screen.queryByText('Profile updated successfully!')).toBeNull()
  })

  test('can be cancelled: nothing is sent and nothing is changed', async () => {
    const person = await edit()
    await retype(person, 'Username', 'something-else')
    await person.click(button('Cancel'))
    expect(screen.getByText('Username').nextElementSibling?.textContent).toBe('meera.r')
    expect(document.activeElement).toBe(button('Edit profile'))
    expect(api.current.of(PUT)).toEqual([])
    await person.click(button('Edit profile'))
    expect(field('Username').value).toBe('meera.r')
  })

  test('tells all problems at once, and sends nothing', async () => {
    const person = await edit()
    await retype(person, 'Username', 'ab')
    await retype(person, 'First name', '')
    await retype(person, 'Last name', '')
    await person.click(button('Save changes'))
    expect(errorUnder('Username')).toBe('Username must be at least 3 characters long')
    expect(errorUnder('First name')).toBe('First name is required')
    expect(errorUnder('Last name')).toBe('Last name is required')
    expect(document.activeElement).toBe(field('Username'))
    expect(api.current.of(PUT)).toEqual([])
  })

  test('a taken username stands under its field', async () => {
    const sentence = 'This username is already taken. Please choose another.'
    api.current.on(PUT, refusal(409, 'USERNAME_TAKEN', sentence, { username: sentence }))
    const person = await edit()
    await retype(person, 'Username', 'taken')
    await person.click(button('Save changes'))
    await waitFor(() => expect(errorUnder('Username')).toBe(sentence))
    expect(field('Username').value).toBe('taken')
  })

  test('another tab was quicker: what is typed stays, what is stored is shown, saving again replaces it', async () => {
    const sentence = 'Your profile was changed somewhere else meanwhile.'
    const theirs = { ...profile, username: 'other.tab', name: { first: 'Other', last: 'Tab' } }
    const mine = { ...profile, name: { first: 'Mira', last: 'Raghuvanshi' } }
    api.current.on(PUT, refusal(409, 'PROFILE_CHANGED', sentence), { body: { profile: mine } })
    const person = await edit()
    await retype(person, 'First name', 'Mira')
    api.current.on(GET, { body: { profile: theirs, subscription: null } })
    await person.click(button('Save changes'))
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    expect(screen.getByText(/It now says/).textContent).toBe('It now says: username other.tab, name Other Tab.')
    expect(field('First name').value).toBe('Mira')
    await person.click(button('Save changes'))
    await screen.findByText('Profile updated successfully!')
    expect(api.current.of(PUT)[1]?.body).toMatchObject({
      name: { first: 'Mira' },
      seen: { username: 'other.tab', name: { first: 'Other', last: 'Tab' } },
    })
  })

  test.each([
    [refusal(500, 'INTERNAL', 'The bank is asleep.'), 'The bank is asleep.'],
    [{ status: 500 }, 'Failed to update profile'],
    ['no network' as const, 'Failed to update profile'],
  ])('%j: %s, and what is typed stays', async (answer, sentence) => {
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
    expect(api.current.of(PUT)).toEqual([])
  })

  test.each(SESSION_GONE)('%i takes the page’s place, with a way to log in', async (status, code, sentence) => {
    api.current.on(PUT, refusal(status, code, 'x'))
    const person = await edit()
    await person.click(button('Save changes'))
    await screen.findByText(sentence)
    expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/auth/login?next=%2Fauth%2Faccount')
    expect(localStorage.getItem('token')).toBeNull()
  })
})

describe('changing the password', () => {
  async function fill(current: string, fresh: string, confirmation = fresh) {
    const { person } = await open()
    if (current) await person.type(field('Current password'), current)
    if (fresh) await person.type(field('New password'), fresh)
    if (confirmation) await person.type(field('Confirm new password'), confirmation)
    await person.click(button('Change password'))
    return person
  }

  test('keeps the new token, says so, and empties the form', async () => {
    const fresh = tokenFor(7_200)
    api.current.on(PASSWORD, { body: { token: fresh } })
    await fill('monsoon-in-macon', 'a-quieter-veranda')
    await screen.findByText('Password changed successfully!')
    expect(api.current.of(PASSWORD)[0]?.body).toEqual({
      currentPassword: 'monsoon-in-macon',
      newPassword: 'a-quieter-veranda',
    })
    expect(localStorage.getItem('token')).toBe(fresh)
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(profile)
    for (const label of ['Current password', 'New password', 'Confirm new password'])
      expect(field(label).value).toBe('')
    expect(document.activeElement).toBe(button('Change password'))
  })

  test.each([
    ['', '', '', ['Current password is required', 'New password is required', undefined]],
    ['x', '12345', '12345', [undefined, 'New password must be at least 6 characters long', undefined]],
    ['x', 'a-quieter-veranda', 'else', [undefined, undefined, 'New passwords do not match']],
    [
      'monsoon-in-macon',
      'monsoon-in-macon',
      'monsoon-in-macon',
      [undefined, 'New password must be different from current password', undefined],
    ],
  ])('%j, %j, %j is told under the fields, and not sent', async (current, fresh, confirmation, told) => {
    await fill(current, fresh, confirmation)
    const labels = ['Current password', 'New password', 'Confirm new password']
    expect(labels.map((label) => (field(label).ariaInvalid === 'true' ? errorUnder(label) : undefined))).toEqual(told)
    expect(api.current.of(PASSWORD)).toEqual([])
  })

  test('a wrong current password stands under its field, and the session stays', async () => {
    const sentence = 'Current password is incorrect'
    api.current.on(PASSWORD, refusal(400, 'INVALID_INPUT', sentence, { currentPassword: sentence }))
    await fill('not it', 'a-quieter-veranda')
    await waitFor(() => expect(errorUnder('Current password')).toBe(sentence))
    expect(localStorage.getItem('token')).not.toBeNull()
  })

  test.each([
    [{ status: 500 }, 'Failed to change password'],
    ['no network' as const, 'Failed to change password'],
    [refusal(429, 'RATE_LIMITED', 'Too many attempts.'), 'Too many attempts.'],
  ])('%j: %s', async (answer, sentence) => {
    api.current.on(PASSWORD, answer)
    await fill('monsoon-in-macon', 'a-quieter-veranda')
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    expect(field('New password').value).toBe('a-quieter-veranda')
  })

  test('without a token', async () => {
    const { person } = await open()
    localStorage.removeItem('token')
    await person.type(field('Current password'), 'monsoon-in-macon')
    await person.type(field('New password'), 'a-quieter-veranda')
    await person.type(field('Confirm new password'), 'a-quieter-veranda')
    await person.click(button('Change password'))
    expect((await screen.findByRole('alert')).textContent).toBe('Please log in to change your password')
  })

  test('each password can be shown', async () => {
    const { person } = await open()
    const [toggle] = screen.getAllByRole('button', { name: 'Show password' })
    await person.click(toggle as HTMLElement)
    expect(field('Current password').type).toBe('text')
  })
})

describe('deleting the account', () => {
  const SENTENCE = 'Your account has been deactivated. Your membership ends at the close of the current billing period.'

  // Fetched when it is first wanted, which takes a slow machine a while.
  beforeAll(preloadDialog)

  async function openDialog() {
    const { person } = await open()
    await person.click(button('Delete account'))
    const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' })
    const inDialog = within(dialog)
    return {
      person,
      password: () => inDialog.getByLabelText<HTMLInputElement>('Password'),
      confirm: () => inDialog.getByRole('button', { name: 'Delete account' }),
      cancel: () => inDialog.getByRole('button', { name: 'Cancel' }),
      inDialog,
    }
  }

  test('asks for the password, clears the token, says so in a window, and goes home', async () => {
    let stored: string | null = 'not asked'
    const said = vi.spyOn(window, 'alert').mockImplementation(() => {
      stored = localStorage.getItem('token')
    })
    api.current.on(DELETE, { body: { success: true, message: SENTENCE } })
    const { person, password, confirm } = await openDialog()
    await person.type(password(), 'monsoon-in-macon')
    await person.click(confirm())
    await screen.findByText('At /')
    expect(said).toHaveBeenCalledExactlyOnceWith(SENTENCE)
    expect(stored).toBeNull()
    expect(api.current.of(DELETE)[0]?.body).toEqual({ password: 'monsoon-in-macon' })
    expect(localStorage.getItem('user')).toBeNull()
  })

  test('without a password nothing is sent', async () => {
    const { person, confirm, inDialog } = await openDialog()
    await person.click(confirm())
    inDialog.getByText('Password is required')
    expect(api.current.of(DELETE)).toEqual([])
  })

  test('a wrong password stands under the field; the account stays', async () => {
    const sentence = 'Password is incorrect'
    api.current.on(DELETE, refusal(400, 'INVALID_INPUT', sentence, { password: sentence }))
    const { person, password, confirm, inDialog } = await openDialog()
    await person.type(password(), 'not it')
    await person.click(confirm())
    await inDialog.findByText(sentence)
    expect(localStorage.getItem('token')).not.toBeNull()
  })

  test.each([
    [refusal(502, 'DELETION_FAILED', 'Your account was kept.'), 'Your account was kept.'],
    [{ status: 500 }, 'Failed to delete account'],
    ['no network' as const, 'Failed to delete account'],
  ])('%j: %s', async (answer, sentence) => {
    api.current.on(DELETE, answer)
    const { person, password, confirm, inDialog } = await openDialog()
    await person.type(password(), 'monsoon-in-macon')
    await person.click(confirm())
    expect((await inDialog.findByRole('alert')).textContent).toBe(sentence)
    expect(password().value).toBe('monsoon-in-macon')
  })

  test('without a token', async () => {
    const { person, password, confirm, inDialog } = await openDialog()
    localStorage.removeItem('token')
    await person.type(password(), 'monsoon-in-macon')
    await person.click(confirm())
    expect((await inDialog.findByRole('alert')).textContent).toBe('Please log in to delete your account')
  })

  test('can be cancelled, by the button and by Escape', async () => {
    const { person, cancel } = await openDialog()
    await person.click(cancel())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await person.click(button('Delete account'))
    await screen.findByRole('dialog')
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.current.of(DELETE)).toEqual([])
  })
})

describe('changing the email address', () => {
  async function fill(email: string, password: string) {
    const { person } = await open()
    await person.click(button('Change email address'))
    expect(document.activeElement).toBe(field('New email address'))
    if (email) await person.type(field('New email address'), email)
    if (password) await person.type(field('Password'), password)
    await person.click(button('Send confirmation'))
    return person
  }

  test('says where to go on', async () => {
    api.current.on(EMAIL, { body: { message: 'Please open the letter.' } })
    await fill('new@example.com', 'monsoon-in-macon')
    await screen.findByText('Please open the letter.')
    expect(api.current.of(EMAIL)[0]?.body).toEqual({ email: 'new@example.com', password: 'monsoon-in-macon' })
    expect(screen.queryByLabelText('New email address')).toBeNull()
  })

  test('tells what is missing, and sends nothing', async () => {
    await fill('x', '')
    expect(errorUnder('New email address')).toBe('Please enter a valid email address')
    expect(errorUnder('Password')).toBe('Password is required')
    expect(api.current.of(EMAIL)).toEqual([])
  })

  test('a wrong password stands under its field', async () => {
    api.current.on(EMAIL, refusal(400, 'INVALID_INPUT', 'Password is incorrect', { password: 'Password is incorrect' }))
    await fill('new@example.com', 'not it')
    await waitFor(() => expect(errorUnder('Password')).toBe('Password is incorrect'))
  })

  test('can be cancelled', async () => {
    const { person } = await open()
    await person.click(button('Change email address'))
    await person.click(button('Cancel'))
    expect(document.activeElement).toBe(button('Change email address'))
  })
})

describe('devices', () => {
  const day = '2026-11-21T12:00:00.000Z'
  const here = { id: 'a', browser: 'Firefox on Linux', signedInAt: day, lastSeenAt: day, isCurrent: true }
  const phone = { id: 'b', browser: 'Chrome on Android', signedInAt: day, lastSeenAt: day, isCurrent: false }

  test('are asked for when they are wanted; one can be signed out', async () => {
    api.current.on(DEVICES, { body: [here, phone] }, { body: [here] })
    api.current.on('DELETE /api/account/devices/b', { status: 204 })
    const { person } = await open()
    expect(api.current.of(DEVICES)).toEqual([])
    await person.click(button('Show devices'))
    await screen.findByText('This device')
    expect(screen.getAllByText('Signed in November 21, 2026, last seen November 21, 2026')).toHaveLength(2)
    await person.click(button('End session of Chrome on Android'))
    await screen.findByText('Chrome on Android was signed out.')
    screen.getByText('You are signed in nowhere else.')
  })

  test('are all signed out but this one, which goes on with the new token', async () => {
    const fresh = tokenFor(7_200)
    api.current.on(DEVICES, { body: [here, phone] }, { body: [here] })
    api.current.on('DELETE /api/account/devices', { body: { token: fresh } })
    const { person } = await open()
    await person.click(button('Show devices'))
    await person.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    await screen.findByText('Every other device was signed out.')
    expect(api.current.of(DEVICES)[1]?.bearer).toBe(fresh)
  })

  test('that cannot be had are told of, and asked for again', async () => {
    api.current.on(DEVICES, 'no network', { body: [here] })
    const { person } = await open()
    await person.click(button('Show devices'))
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to load your devices')
    await person.click(button('Show devices'))
    await screen.findByText('This device')
  })
})

describe('everything held about a person', () => {
  test('comes as a file', async () => {
    const held = {
      writtenAt: '2026-11-21T12:00:00.000Z',
      account: profile,
      memberships: [],
      payments: [],
      consents: [],
      sessions: [],
      newsletter: null,
      messages: [],
      sponsorships: [],
      history: [],
    }
    api.current.on('GET /api/account/data', { body: held })
    const blobs: Blob[] = []
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`,
        revokeObjectURL: () => {},
      }),
    )
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    const { person } = await open()
    await person.click(button('Download my data'))
    await waitFor(() => expect(saved).toEqual(['my-data-2026-11-21.json']))
    expect(JSON.parse((await blobs[0]?.text()) ?? '')).toEqual(held)
  })

  test('or a word about why not', async () => {
    api.current.on('GET /api/account/data', { status: 500 })
    const { person } = await open()
    await person.click(button('Download my data'))
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to download your data')
  })
})
