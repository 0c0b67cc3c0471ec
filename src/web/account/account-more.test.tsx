import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { errorResponse, tokenFor } from '#tests/support/web/fake-api.ts'
import { button, errorUnder, field, openAccount, useMembersApi } from '#tests/support/web/account-test-helpers.tsx'
import { profile } from '#tests/support/web/page-test-helpers.tsx'

const api = useMembersApi()
const EMAIL = 'POST /api/account/email'
const DEVICES = 'GET /api/account/devices'

describe('changing the email address', () => {
  async function fill(email: string, password: string) {
    const person = await openAccount('profile', 'Email Address')
    await person.click(button('Change email address'))
    expect(document.activeElement).toBe(field('New email address'))
    if (email) await person.type(field('New email address'), email)
    if (password) await person.type(field('Password'), password)
    await person.click(button('Send confirmation'))
    return person
  }

  test('says where to continue', async () => {
    api.current.on(EMAIL, { body: { message: 'Please open the email.' } })
    await fill('new@example.com', 'monsoon-in-macon')
    await screen.findByText('Please open the email.')
    expect(api.current.requestsTo(EMAIL)[0]?.body).toEqual({ email: 'new@example.com', password: 'monsoon-in-macon' })
    expect(screen.queryByLabelText('New email address')).toBeNull()
  })

  test('shows what is missing, and sends nothing', async () => {
    await fill('x', '')
    expect(errorUnder('New email address')).toBe('Please enter a valid email address')
    expect(errorUnder('Password')).toBe('Password is required')
    expect(api.current.requestsTo(EMAIL)).toEqual([])
  })

  test('a wrong password is an error under its field', async () => {
    api.current.on(
      EMAIL,
      errorResponse(400, 'INVALID_INPUT', 'Password is incorrect', { password: 'Password is incorrect' }),
    )
    await fill('new@example.com', 'not it')
    await waitFor(() => expect(errorUnder('Password')).toBe('Password is incorrect'))
  })

  test('can be canceled', async () => {
    const person = await openAccount('profile', 'Email Address')
    await person.click(button('Change email address'))
    await person.click(button('Cancel'))
    expect(document.activeElement).toBe(button('Change email address'))
  })
})

describe('devices', () => {
  const day = '2026-11-21T12:00:00.000Z'
  const here = { id: 'a', browser: 'Firefox on Linux', signedInAt: day, lastSeenAt: day, isCurrent: true }
  const phone = { id: 'b', browser: 'Chrome on Android', signedInAt: day, lastSeenAt: day, isCurrent: false }

  test('are listed; one can be signed out', async () => {
    api.current.on(DEVICES, { body: [here, phone] }, { body: [here] })
    api.current.on('DELETE /api/account/devices/b', { status: 204 })
    const person = await openAccount('security', 'Where You Are Signed In')
    await screen.findByText('This device')
    expect(screen.getAllByText('Signed in November 21, 2026, last seen November 21, 2026')).toHaveLength(2)
    expect(document.activeElement).toBe(document.body)
    await person.click(button('End session of Chrome on Android'))
    await screen.findByText('Chrome on Android was signed out.')
    expect(document.activeElement).toBe(screen.getByText('This device').closest('ul'))
    screen.getByText('You are not signed in anywhere else.')
  })

  test('are all signed out except this one, which continues with the new token', async () => {
    const fresh = tokenFor(7_200)
    api.current.on(DEVICES, { body: [here, phone] }, { body: [here] })
    api.current.on('DELETE /api/account/devices', { body: { token: fresh } })
    const person = await openAccount('security', 'Where You Are Signed In')
    await person.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    await screen.findByText('Every other device was signed out.')
    expect(api.current.requestsTo(DEVICES)[1]?.bearer).toBe(fresh)
  })

  test('that cannot be loaded show an error and can be retried', async () => {
    api.current.on(DEVICES, 'no network', { body: [here] })
    const person = await openAccount('security', 'Where You Are Signed In')
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load your devices')
    await person.click(button('Try again'))
    await screen.findByText('This device')
  })
})

describe('the personal data download', () => {
  test('saves a file', async () => {
    const held = {
      writtenAt: '2026-11-21T12:00:00.000Z',
      account: profile,
      memberships: [],
      payments: [],
      consents: [],
      sessions: [],
      passkeys: [],
      newsletter: null,
      messages: [],
      sponsorships: [],
      events: [],
      credentials: [],
      declinedEvents: [],
      card: null,
      directory: null,
      directoryMessages: [],
      emailTopics: [],
      emailsToMembers: [],
      personStates: [],
      rollCalls: [],
      rolls: [],
      rollObjections: [],
      viewedByOfficers: [],
      notes: [],
      eventPayments: [],
      record: [],
      complimentaryTerms: [],
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
    const person = await openAccount('data', 'Your Data')
    await person.click(button('Download my data'))
    await waitFor(() => expect(saved).toEqual(['my-data-2026-11-21.json']))
    expect(JSON.parse((await blobs[0]?.text()) ?? '')).toEqual(held)
  })

  test('or shows why it failed', async () => {
    api.current.on('GET /api/account/data', { status: 500 })
    const person = await openAccount('data', 'Your Data')
    await person.click(button('Download my data'))
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to download your data')
  })
})

test('officers’ views of the account are listed with their reason', async () => {
  api.current.on('GET /api/account/views', 'no network', {
    body: [
      { startedAt: '2026-11-21T12:00:00.000Z', endedAt: '2026-11-21T12:06:10.000Z', reason: 'Cannot find the receipt' },
    ],
  })
  const person = await openAccount('data', 'Who viewed your account')
  await person.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByText('November 21, 2026 at 7:00 AM EST, for 6 minutes: Cannot find the receipt')
})
