import { describe, expect, test } from 'vitest'
import type { CreationOptions, FactorList } from '#contract/public/passkeys.ts'
import { SoftwareAuthenticator } from '#tests/support/browser/authenticator.ts'
import { newOfficer, OFFICER_PASSWORD } from '#tests/support/officers.ts'
import {
  anotherSession,
  enrolPasskey,
  FIRST,
  officerByPasskey,
  optionsFor,
  proveByDevice,
  SITE,
} from '#tests/support/browser/passkeys.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const strict = useTestApp()
const TODAY = '/api/console/today'

describe('the first passkey', () => {
  test('needs the password, opens the console, returns ten recovery codes, and is emailed and audited', async () => {
    const { browser, email } = await newOfficer(app(), ['president'])
    const wrong = await browser.post(`${FIRST}/begin`, { password: 'not this one at all' })
    expect(wrong.body.errors).toEqual({ password: 'Password is incorrect' })
    expect((await browser.get(TODAY)).body.code).toBe('SECOND_FACTOR_REQUIRED')

    const { recoveryCodes } = await enrolPasskey(browser, 'Ana’s phone')
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await browser.get(TODAY)).status).toBe(200)
    expect((await browser.get('/api/console/me')).body.secondFactor).toMatchObject({
      isEnrolled: true,
      ways: ['passkey'],
    })
    await app().drain()
    const message = app().standins.mails(email)[0]
    expect([message?.subject, message?.text]).toEqual([
      'A passkey was added to your account',
      expect.stringContaining('Ana’s phone') as string,
    ])
    const history = await browser.get('/api/console/audit?q=passkey.added')
    expect(history.body.entries[0].details).toEqual({ before: null, after: { name: 'Ana’s phone' } })
    // The password alone does not allow adding a passkey or an app.
    const other = await anotherSession(app(), email)
    for (const [path, code] of [
      [`${FIRST}/begin`, 'SECOND_FACTOR_EXISTS'],
      ['/api/console/second-factor/begin', 'SECOND_FACTOR_AGAIN'],
    ] as const) {
      expect((await other.post(path, { password: OFFICER_PASSWORD })).body.code).toBe(code)
    }
  })

  test.each([
    ['made for another site', { origin: 'https://example.com' }],
    ['made for another host', { rpId: 'example.com' }],
    ['made without looking who is there', { unverified: true }],
    ['an answer of another ceremony', { type: 'webauthn.get' }],
    ['from within a frame', { crossOrigin: true }],
  ])('is refused: %s', async (_what, twists) => {
    const { browser } = await newOfficer(app(), ['viewer'])
    const begun = await browser.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })
    const credential = new SoftwareAuthenticator(SITE).create(begun.body as CreationOptions, twists)
    const answer = await browser.post(`${FIRST}/confirm`, { name: 'Phone', credential })
    expect([answer.status, answer.body.code]).toEqual([400, 'PASSKEY_REFUSED'])
  })

  test('is rejected for a missing, old or foreign challenge, or one for another purpose', async () => {
    const { browser, email } = await newOfficer(app(), ['viewer'])
    const device = new SoftwareAuthenticator(SITE)
    const begin = async (by: TestBrowser) =>
      (await by.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })).body as CreationOptions
    const confirm = async (options: CreationOptions) =>
      (await browser.post(`${FIRST}/confirm`, { name: 'Phone', credential: device.create(options) })).body.code
    const options = await begin(browser)
    expect(await confirm({ ...options, challenge: 'made-up' })).toBe('PASSKEY_TOO_LATE')
    expect(await confirm(await begin(await anotherSession(app(), email)))).toBe('PASSKEY_TOO_LATE')
    await app().advance(6 * 60_000)
    expect(await confirm(options)).toBe('PASSKEY_TOO_LATE')
    // Of two concurrent setups, the first one confirmed wins.
    const [first, second] = [await begin(browser), await begin(browser)]
    expect(await confirm(first)).toBeUndefined()
    expect(await confirm(second)).toBe('SECOND_FACTOR_EXISTS')
    expect(await confirm(await optionsFor(browser).then(({ challenge }) => ({ ...first, challenge })))).toBe(
      'PASSKEY_TOO_LATE',
    )
  })

  test('the attestation statement is not read, and responses without a passkey are rejected', async () => {
    const { browser } = await newOfficer(app(), ['viewer'])
    const begun = await browser.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })
    const credential = new SoftwareAuthenticator(SITE).create(begun.body as CreationOptions, { namesMaker: true })
    for (const attestationObject of ['AAAA', 'oA', credential.attestationObject.slice(0, 60), 'A'.repeat(20_000)]) {
      const { body } = await browser.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })
      const fresh = new SoftwareAuthenticator(SITE).create(body as CreationOptions)
      const answer = await browser.post(`${FIRST}/confirm`, {
        name: 'Phone',
        credential: { ...fresh, attestationObject },
      })
      expect(answer.body.code).toBe('PASSKEY_REFUSED')
    }
    const { body } = await browser.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })
    const fresh = new SoftwareAuthenticator(SITE).create(body as CreationOptions)
    // The id beside the response is not the signed one.
    const swapped = await browser.post(`${FIRST}/confirm`, {
      name: 'Phone',
      credential: { ...fresh, id: credential.id },
    })
    expect(swapped.body.code).toBe('PASSKEY_REFUSED')
    const kept = await browser.post(`${FIRST}/confirm`, { name: 'Phone', credential })
    expect(kept.status).toBe(200)
  })
})

describe('a passkey', () => {
  test('opens the console in another session and authorizes sensitive acts', async () => {
    const { device, email } = await officerByPasskey(app())
    const browser = await anotherSession(app(), email)
    expect((await browser.get(TODAY)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    const opened = await proveByDevice(browser, device)
    expect([opened.status, opened.body.recoveryCodesLeft, opened.body.secondFactor.ways]).toEqual([
      200,
      10,
      ['passkey'],
    ])
    expect((await browser.get(TODAY)).status).toBe(200)
    await app().advance(11 * 60_000)
    const role = { email: 'nobody@example.com', role: 'viewer', startsOn: '2026-11-01', endsOn: '2026-12-01' }
    expect((await browser.post('/api/console/officers', role)).body.code).toBe('SECOND_FACTOR_AGAIN')
    await proveByDevice(browser, device)
    expect((await browser.post('/api/console/officers', role)).body.errors.email).toMatch(/^There is no account/)
    const { passkeys } = (await browser.get('/api/console/passkeys')).body as FactorList
    expect(passkeys[0]?.lastUsedAt).not.toBeNull()
    await app().advance(12 * HOUR_MS)
    expect((await browser.get(TODAY)).body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  test('a response works once, even for 20 concurrent requests; a recovery code replaces a lost passkey', async () => {
    const { device, email, recoveryCodes } = await officerByPasskey(app())
    const browser = await anotherSession(app(), email)
    const credential = device.get(await optionsFor(browser))
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post(`${FIRST}/prove`, { credential })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'PASSKEY_TOO_LATE')).toHaveLength(19)
    const third = await anotherSession(app(), email)
    const byCode = await third.post('/api/console/second-factor/prove', { code: recoveryCodes[0] })
    expect([byCode.status, byCode.body.recoveryCodesLeft]).toEqual([200, 9])
  })

  test.each([
    ['for another site', { origin: 'https://example.com' }],
    ['for another host', { rpId: 'example.com' }],
    ['without looking who is there', { unverified: true }],
    ['of another ceremony', { type: 'webauthn.create' }],
    ['from within a frame', { crossOrigin: true }],
    ['of a device that names another owner', { userHandle: Buffer.from('someone').toString('base64url') }],
  ])('an answer %s is refused', async (_what, twists) => {
    const { device, email } = await officerByPasskey(app())
    const browser = await anotherSession(app(), email)
    const answer = await proveByDevice(browser, device, twists)
    expect([answer.status, answer.body.code]).toEqual([400, 'PASSKEY_REFUSED'])
    expect((await browser.get(TODAY)).body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  test('of another officer opens nothing, neither with their challenge nor with one’s own', async () => {
    const { device: theirs, browser: other } = await officerByPasskey(app())
    const { email } = await officerByPasskey(app())
    const browser = await anotherSession(app(), email)
    const known = (await optionsFor(other)).allowCredentials
    const own = await optionsFor(browser)
    for (const [options, code] of [
      [{ ...own, allowCredentials: known }, 'PASSKEY_REFUSED'],
      [await optionsFor(other), 'PASSKEY_TOO_LATE'],
    ] as const) {
      const answer = await browser.post(`${FIRST}/prove`, { credential: theirs.get(options, { userHandle: null }) })
      expect(answer.body.code).toBe(code)
    }
  })

  test('an invalid signature is rejected, whatever its counter', async () => {
    const { device, email } = await officerByPasskey(app())
    const browser = await anotherSession(app(), email)
    const right = device.get(await optionsFor(browser), { counter: 0 })
    const answer = await browser.post(`${FIRST}/prove`, { credential: { ...right, signature: 'AAAA' } })
    expect(answer.body.code).toBe('PASSKEY_REFUSED')
    expect(app().logLines.join('')).not.toContain('passkey-copied')
  })

  test('whose counter decreases is rejected, audited and reported to the officers', async () => {
    const { device, email, browser: first } = await officerByPasskey(app())
    const browser = await anotherSession(app(), email)
    expect((await proveByDevice(browser, device, { counter: 40 })).status).toBe(200)
    const copied = await proveByDevice(await anotherSession(app(), email), device, { counter: 40 })
    expect([copied.status, copied.body.code]).toEqual([409, 'PASSKEY_OUT_OF_TURN'])
    await app().drain()
    expect(app().standins.mails(app().config.officersEmail)[0]?.subject).toMatch(/passkey may have been copied/i)
    const history = await first.get('/api/console/audit?q=out-of-turn')
    expect(history.body.entries[0].details).toEqual({ name: 'Phone', kept: 40, given: 40 })
    expect((await proveByDevice(browser, device, { counter: 41 })).status).toBe(200)
  })

  test('without a counter is accepted', async () => {
    const { browser, email } = await newOfficer(app(), ['viewer'])
    const device = new SoftwareAuthenticator(SITE)
    device.counts = false
    const begun = await browser.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })
    const credential = device.create(begun.body as CreationOptions)
    await browser.post(`${FIRST}/confirm`, { name: 'Synced', credential })
    const again = await anotherSession(app(), email)
    for (let turn = 0; turn < 3; turn++) expect((await proveByDevice(again, device)).status).toBe(200)
  })

  test('rejected responses are limited, and do not count as wrong codes', async () => {
    const { email, device, recoveryCodes } = await officerByPasskey(strict())
    const browser = await anotherSession(strict(), email)
    const statuses = []
    for (let turn = 0; turn < 11; turn++)
      statuses.push((await proveByDevice(browser, device, { origin: 'https://example.com' })).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
    const byCode = await browser.post('/api/console/second-factor/prove', { code: recoveryCodes[1] })
    expect(byCode.status).toBe(200)
  })
})
