import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { FactorList } from '#contract/public/passkeys.ts'
import { errorResponse } from '#tests/support/web/fake-api.ts'
import { GET_OFFICER, officerWith, openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

const api = useConsoleApi()
const FIRST = 'POST /api/console/second-factor/passkey'
const LIST = 'GET /api/console/passkeys'
const INSIDE = '2040-01-01T00:00:00.000Z'

const phone = { id: 'p1', name: 'Phone', createdAt: '2026-11-03T12:00:00.000Z', lastUsedAt: null }
const laptop = { ...phone, id: 'p2', name: 'Laptop', lastUsedAt: '2026-11-21T12:00:00.000Z' }
const list = (passkeys: FactorList['passkeys'], app: FactorList['app'] = null): { body: FactorList } => ({
  body: { passkeys, app, recoveryCodesLeft: 7 },
})

const known = { id: 'AAAA', type: 'public-key', transports: ['internal'] }
const creation = {
  body: {
    challenge: 'Y2hhbGxlbmdl',
    rp: { id: 'localhost', name: 'GAPI' },
    user: { id: 'YTE', name: 'ana@example.com', displayName: 'Ana Rao' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    timeout: 300_000,
    excludeCredentials: [known],
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'required' },
    attestation: 'none',
  },
}
const question = {
  body: {
    challenge: 'Y2hhbGxlbmdl',
    rpId: 'localhost',
    allowCredentials: [known],
    timeout: 300_000,
    userVerification: 'required',
  },
}

const bytes = (text: string) => new TextEncoder().encode(text).buffer
const made = {
  id: 'bmV3',
  rawId: bytes('new'),
  type: 'public-key',
  response: { clientDataJSON: bytes('client'), attestationObject: bytes('attestation'), getTransports: () => ['usb'] },
  getClientExtensionResults: () => ({}),
}
const answered = {
  ...made,
  response: {
    clientDataJSON: bytes('client'),
    authenticatorData: bytes('device'),
    signature: bytes('signature'),
    userHandle: null,
  },
}

/** A browser with passkeys and a scripted device. */
function giveDevice(...answers: unknown[]) {
  const next = vi.fn(async () => {
    const answer = answers.shift()
    if (answer instanceof DOMException) throw answer
    return answer
  })
  vi.stubGlobal('PublicKeyCredential', function PublicKeyCredential() {})
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create: next, get: next } })
  return next
}

const cancelled = () => new DOMException('The operation was not allowed.', 'NotAllowedError')

afterEach(() => {
  Reflect.deleteProperty(navigator, 'credentials')
})

describe('the first visit', () => {
  test('offers a passkey or an app; a passkey is named, made, and gives recovery codes', async () => {
    giveDevice(cancelled(), made)
    api.current
      .on(GET_OFFICER, { body: officerWith(['viewer'], { isEnrolled: false, provedUntil: null }) })
      .on(`${FIRST}/begin`, errorResponse(400, 'INVALID_INPUT', 'x', { password: 'Password is incorrect' }), creation)
      .on(`${FIRST}/confirm`, { body: { recoveryCodes: ['aaaaa-bbbbb'] } })
    const person = openConsole('/console')
    await screen.findByRole('button', { name: /^An authenticator app/ })
    await person.click(screen.getByRole('button', { name: /^A passkey/ }))
    await person.type(screen.getByLabelText('Your password'), 'monsoon-in-macon')
    await person.click(screen.getByRole('button', { name: 'Continue' }))
    expect((await screen.findAllByText('Password is incorrect')).length).toBeGreaterThan(0)
    await person.click(screen.getByRole('button', { name: 'Continue' }))

    const name = await screen.findByLabelText('Passkey name')
    await person.clear(name)
    await person.type(name, 'My phone')
    await person.click(screen.getByRole('button', { name: 'Create passkey' }))
    await screen.findByText(/^The request was canceled or timed out/)
    await person.click(screen.getByRole('button', { name: 'Create passkey' }))
    await screen.findByText('aaaaa-bbbbb')
    const [sent] = api.current.requestsTo(`${FIRST}/confirm`)
    expect(sent?.body).toEqual({
      name: 'My phone',
      credential: { id: 'bmV3', clientDataJSON: 'Y2xpZW50', attestationObject: 'YXR0ZXN0YXRpb24', transports: ['usb'] },
    })
    // The canceled challenge is not reused.
    expect(api.current.requestsTo(`${FIRST}/begin`)).toHaveLength(3)
  })

  test('goes on with the app where that is chosen', async () => {
    giveDevice()
    api.current.on(GET_OFFICER, { body: officerWith(['viewer'], { isEnrolled: false, provedUntil: null }) })
    const person = openConsole('/console')
    await person.click(await screen.findByRole('button', { name: /^An authenticator app/ }))
    await screen.findByRole('button', { name: 'Set up the app' })
    await person.click(screen.getByRole('button', { name: 'Use a passkey instead' }))
    await screen.findByRole('button', { name: 'Continue' })
  })
})

describe('an officer with a passkey', () => {
  const proved = {
    body: { secondFactor: { isEnrolled: true, ways: ['passkey'], provedUntil: INSIDE }, recoveryCodesLeft: 10 },
  }

  test('signs in with it; device errors are shown, and a code also works', async () => {
    giveDevice(cancelled(), answered)
    api.current
      .on(
        GET_OFFICER,
        { body: officerWith(['viewer'], { isEnrolled: true, ways: ['passkey', 'app'], provedUntil: null }) },
        { body: officerWith(['viewer']) },
      )
      .on(`${FIRST}/ask`, question)
      .on(`${FIRST}/prove`, proved)
      .on('GET /api/console/today', { body: { tasks: [] } })
    const person = openConsole('/console')
    await person.click(await screen.findByRole('button', { name: 'Use your passkey' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The request was canceled or timed out/)
    await person.click(screen.getByRole('button', { name: 'Enter a code instead' }))
    await screen.findByLabelText('Authenticator code')
    await person.click(screen.getByRole('button', { name: 'Use your passkey instead' }))
    await person.click(screen.getByRole('button', { name: 'Use your passkey' }))
    await screen.findByRole('heading', { name: 'Home', level: 1 })
    expect(api.current.requestsTo(`${FIRST}/prove`)[0]?.body).toEqual({
      credential: {
        id: 'bmV3',
        clientDataJSON: 'Y2xpZW50',
        authenticatorData: 'ZGV2aWNl',
        signature: 'c2lnbmF0dXJl',
        userHandle: null,
      },
    })
  })

  test('is asked for a recovery code where the browser knows no passkeys', async () => {
    api.current.on(GET_OFFICER, {
      body: officerWith(['viewer'], { isEnrolled: true, ways: ['passkey'], provedUntil: null }),
    })
    openConsole('/console')
    await screen.findByLabelText('Recovery code')
    expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull()
  })

  test('confirms a sensitive action with it in a dialog', async () => {
    giveDevice(answered)
    api.current
      .on(GET_OFFICER, {
        body: officerWith(['president'], { isEnrolled: true, ways: ['passkey'], provedUntil: INSIDE }),
      })
      .on(LIST, list([phone, laptop]))
      .on('DELETE /api/console/passkeys/p1', errorResponse(403, 'SECOND_FACTOR_AGAIN', 'Again.'), list([laptop]))
      .on(`${FIRST}/ask`, question)
      .on(`${FIRST}/prove`, proved)
    const person = openConsole('/console/access')
    await person.click(await screen.findByRole('button', { name: 'Remove Phone' }))
    await person.click(await screen.findByRole('button', { name: 'Remove' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
    dialog.getByRole('button', { name: 'Use a recovery code instead' })
    await person.click(dialog.getByRole('button', { name: 'Use your passkey' }))
    await screen.findByText('The passkey “Phone” was removed.')
    expect(screen.queryByRole('button', { name: 'Rename Phone' })).toBeNull()
    // The last one stays.
    expect(screen.queryByRole('button', { name: 'Remove Laptop' })).toBeNull()
    screen.getByText(/^This is your only second factor/)
  })
})

describe('my access', () => {
  test('lists passkeys with their days, and renames one', async () => {
    api.current
      .on(LIST, list([phone, laptop], { since: '2026-11-01T12:00:00.000Z' }))
      .on('PUT /api/console/passkeys/p2', list([phone, { ...laptop, name: 'Clinic' }]))
    const person = openConsole('/console/access')
    await screen.findByText('Added November 3, 2026, never used')
    screen.getByText('Added November 3, 2026, last used November 21, 2026')
    screen.getByText('Set up on November 1, 2026.')
    screen.getByText(/^7 of 10 left/)
    await person.click(screen.getByRole('button', { name: 'Rename Laptop' }))
    const name = await screen.findByLabelText('Passkey name')
    await person.clear(name)
    await person.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findAllByText(/^Please give the passkey a name/)).length).toBeGreaterThan(0)
    await person.type(name, 'Clinic')
    await person.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('button', { name: 'Remove Clinic' })
  })

  test('adds a passkey with a name; what failed keeps the name', async () => {
    const device = giveDevice(new DOMException('There.', 'InvalidStateError'), made)
    api.current
      .on(LIST, list([phone]))
      .on('POST /api/console/passkeys/begin', creation)
      .on('POST /api/console/passkeys', { status: 201, ...list([phone, laptop]) })
    const person = openConsole('/console/access')
    await person.click(await screen.findByRole('button', { name: 'Add a passkey' }))
    const name = await screen.findByLabelText('Passkey name')
    await person.clear(name)
    await person.type(name, 'Laptop')
    await person.click(screen.getByRole('button', { name: 'Create passkey' }))
    await screen.findByText(/^This device already has a passkey for you/)
    expect((name as HTMLInputElement).value).toBe('Laptop')
    await person.click(screen.getByRole('button', { name: 'Create passkey' }))
    await screen.findByText('The passkey “Laptop” was added.')
    screen.getByRole('button', { name: 'Remove Laptop' })
    expect(device).toHaveBeenCalledTimes(2)
    // The dialog offers the current factors.
    await waitFor(() => expect(api.current.requestsTo(GET_OFFICER).length).toBeGreaterThan(1))
  })

  test('sets up an app beside a passkey, and removes it again', async () => {
    api.current
      .on(LIST, list([phone]), list([phone], { since: '2026-11-21T12:00:00.000Z' }))
      .on('POST /api/console/second-factor/begin', {
        body: { secret: 'ABCD EFGH', address: 'otpauth://totp/x', qrCode: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      })
      .on('POST /api/console/second-factor/confirm', { body: { recoveryCodes: [] } })
      .on('DELETE /api/console/second-factor/app', list([phone]))
    const person = openConsole('/console/access')
    await person.click(await screen.findByRole('button', { name: 'Set up app' }))
    await person.type(await screen.findByLabelText('Your password'), 'monsoon-in-macon')
    await person.click(screen.getByRole('button', { name: 'Set up the app' }))
    await person.type(await screen.findByLabelText('Authenticator code'), '123456')
    await person.click(screen.getByRole('button', { name: 'Confirm' }))
    await person.click(await screen.findByRole('button', { name: 'Remove app' }))
    await person.click(await screen.findByRole('button', { name: 'Remove' }))
    await screen.findByText('The authenticator app was removed.')
    screen.getByRole('button', { name: 'Set up app' })
  })
})
