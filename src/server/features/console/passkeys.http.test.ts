import { describe, expect, test } from 'vitest'
import type { CreationOptions, FactorList, RequestOptions } from '#contract/passkeys.ts'
import { SoftwareAuthenticator } from '#tests/support/authenticator.ts'
import { codeAt, newOfficer, OFFICER_PASSWORD } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestAnswer, TestBrowser } from '#tests/support/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const strict = useTestApp()
const SITE = 'http://localhost:3000'
const FIRST = '/api/console/second-factor/passkey'
const TODAY = '/api/console/today'

async function optionsFor(browser: TestBrowser): Promise<RequestOptions> {
  return (await browser.post(`${FIRST}/ask`, {})).body as RequestOptions
}

async function enrol(browser: TestBrowser, name = 'Phone') {
  const device = new SoftwareAuthenticator(SITE)
  const begun = await browser.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })
  const credential = device.create(begun.body as CreationOptions)
  const { status, body } = await browser.post(`${FIRST}/confirm`, { name, credential })
  expect([status, body.code]).toEqual([200, undefined])
  return { device, credential, recoveryCodes: body.recoveryCodes as string[] }
}

/** An officer inside the console by a passkey. */
async function officerByPasskey(using = app()) {
  const officer = await newOfficer(using, ['president'])
  return { ...officer, ...(await enrol(officer.browser)) }
}

async function prove(browser: TestBrowser, device: SoftwareAuthenticator, twists = {}): Promise<TestAnswer> {
  return browser.post(`${FIRST}/prove`, { credential: device.get(await optionsFor(browser), twists) })
}

async function anotherSession(email: string, using = app()): Promise<TestBrowser> {
  const browser = using.browser()
  await browser.logIn(email, OFFICER_PASSWORD)
  return browser
}

describe('the first passkey', () => {
  test('needs the password, opens the console, gives ten recovery codes, and is told by letter and in the history', async () => {
    const { browser, email } = await newOfficer(app(), ['president'])
    const wrong = await browser.post(`${FIRST}/begin`, { password: 'not this one at all' })
    expect(wrong.body.errors).toEqual({ password: 'Password is incorrect' })
    expect((await browser.get(TODAY)).body.code).toBe('SECOND_FACTOR_REQUIRED')

    const { recoveryCodes } = await enrol(browser, 'Ana’s phone')
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await browser.get(TODAY)).status).toBe(200)
    expect((await browser.get('/api/console/me')).body.secondFactor).toMatchObject({
      isEnrolled: true,
      ways: ['passkey'],
    })
    await app().settle()
    const letter = app().standins.mails(email)[0]
    expect([letter?.subject, letter?.text]).toEqual([
      'A passkey was added to your access',
      expect.stringContaining('Ana’s phone') as string,
    ])
    const history = await browser.get('/api/console/audit?q=passkey.added')
    expect(history.body.entries[0].details).toEqual({ before: null, after: { name: 'Ana’s phone' } })
    // Whoever has the password alone can bring neither another passkey nor an app.
    const other = await anotherSession(email)
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

  test('is refused when it answers no question, an old one, one of another session, or one for another purpose', async () => {
    const { browser, email } = await newOfficer(app(), ['viewer'])
    const device = new SoftwareAuthenticator(SITE)
    const begin = async (by: TestBrowser) =>
      (await by.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })).body as CreationOptions
    const confirm = async (options: CreationOptions) =>
      (await browser.post(`${FIRST}/confirm`, { name: 'Phone', credential: device.create(options) })).body.code
    const options = await begin(browser)
    expect(await confirm({ ...options, challenge: 'made-up' })).toBe('PASSKEY_TOO_LATE')
    expect(await confirm(await begin(await anotherSession(email)))).toBe('PASSKEY_TOO_LATE')
    await app().advance(6 * 60_000)
    expect(await confirm(options)).toBe('PASSKEY_TOO_LATE')
    // Of two begun at once the first that is confirmed counts.
    const [first, second] = [await begin(browser), await begin(browser)]
    expect(await confirm(first)).toBeUndefined()
    expect(await confirm(second)).toBe('SECOND_FACTOR_EXISTS')
    expect(await confirm(await optionsFor(browser).then(({ challenge }) => ({ ...first, challenge })))).toBe(
      'PASSKEY_TOO_LATE',
    )
  })

  test('what a device says of its maker is not read, and what is no passkey is refused', async () => {
    const { browser } = await newOfficer(app(), ['viewer'])
    const begun = await browser.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })
    const credential = new SoftwareAuthenticator(SITE).create(begun.body as CreationOptions, { namesMaker: true })
    for (const attestationObject of [
      'AAAA',
      'oA',
      `${credential.attestationObject.slice(0, 60)}`,
      'A'.repeat(20_000),
    ]) {
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
    // The id beside it is not the one that was signed for.
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
  test('opens the console in another session and confirms what is sensitive', async () => {
    const { device, email } = await officerByPasskey()
    const browser = await anotherSession(email)
    expect((await browser.get(TODAY)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    const opened = await prove(browser, device)
    expect([opened.status, opened.body.recoveryCodesLeft, opened.body.secondFactor.ways]).toEqual([
      200,
      10,
      ['passkey'],
    ])
    expect((await browser.get(TODAY)).status).toBe(200)
    await app().advance(11 * 60_000)
    const role = { email: 'nobody@example.com', role: 'viewer', startsOn: '2026-11-01', endsOn: '2026-12-01' }
    expect((await browser.post('/api/console/officers', role)).body.code).toBe('SECOND_FACTOR_AGAIN')
    await prove(browser, device)
    expect((await browser.post('/api/console/officers', role)).body.errors.email).toMatch(/^Nobody has an account/)
    const { passkeys } = (await browser.get('/api/console/passkeys')).body as FactorList
    expect(passkeys[0]?.lastUsedAt).not.toBeNull()
    await app().advance(12 * HOUR_MS)
    expect((await browser.get(TODAY)).body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  test('an answer counts once, of 20 at once too; a recovery code serves where it is lost', async () => {
    const { device, email, recoveryCodes } = await officerByPasskey()
    const browser = await anotherSession(email)
    const credential = device.get(await optionsFor(browser))
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post(`${FIRST}/prove`, { credential })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'PASSKEY_TOO_LATE')).toHaveLength(19)
    const third = await anotherSession(email)
    const byCode = await third.post('/api/console/second-factor/prove', { code: recoveryCodes[0] })
    expect([byCode.status, byCode.body.recoveryCodesLeft]).toEqual([200, 9])
  })

  test.each([
    ['for another site', { origin: 'https://example.com' }],
    ['for another host', { rpId: 'example.com' }],
    ['without looking who is there', { unverified: true }],
    ['of another ceremony', { type: 'webauthn.create' }],
    ['from within a frame', { crossOrigin: true }],
    ['of a device that names another owner', { userHandle: Buffer.from('somebody').toString('base64url') }],
  ])('an answer %s is refused', async (_what, twists) => {
    const { device, email } = await officerByPasskey()
    const browser = await anotherSession(email)
    const answer = await prove(browser, device, twists)
    expect([answer.status, answer.body.code]).toEqual([400, 'PASSKEY_REFUSED'])
    expect((await browser.get(TODAY)).body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  test('of somebody else opens nothing, neither with their question nor with one’s own', async () => {
    const { device: theirs, browser: other } = await officerByPasskey()
    const { email } = await officerByPasskey()
    const browser = await anotherSession(email)
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

  test('a signature that does not fit is refused, whatever it says it counted', async () => {
    const { device, email } = await officerByPasskey()
    const browser = await anotherSession(email)
    const right = device.get(await optionsFor(browser), { counter: 0 })
    const answer = await browser.post(`${FIRST}/prove`, { credential: { ...right, signature: 'AAAA' } })
    expect(answer.body.code).toBe('PASSKEY_REFUSED')
    expect(app().logLines.join('')).not.toContain('passkey-copied')
  })

  test('that counts backwards is refused, and told to the officers and in the history', async () => {
    const { device, email, browser: first } = await officerByPasskey()
    const browser = await anotherSession(email)
    expect((await prove(browser, device, { counter: 40 })).status).toBe(200)
    const copied = await prove(await anotherSession(email), device, { counter: 40 })
    expect([copied.status, copied.body.code]).toEqual([409, 'PASSKEY_OUT_OF_TURN'])
    await app().settle()
    expect(app().standins.mails(app().config.officersEmail)[0]?.subject).toMatch(/passkey may have been copied/i)
    const history = await first.get('/api/console/audit?q=out-of-turn')
    expect(history.body.entries[0].details).toEqual({ name: 'Phone', kept: 40, given: 40 })
    expect((await prove(browser, device, { counter: 41 })).status).toBe(200)
  })

  test('that does not count is taken as it is', async () => {
    const { browser, email } = await newOfficer(app(), ['viewer'])
    const device = new SoftwareAuthenticator(SITE)
    device.counts = false
    const begun = await browser.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })
    const credential = device.create(begun.body as CreationOptions)
    await browser.post(`${FIRST}/confirm`, { name: 'Synced', credential })
    const again = await anotherSession(email)
    for (let turn = 0; turn < 3; turn++) expect((await prove(again, device)).status).toBe(200)
  })

  test('refused answers are limited, and do not use up the guesses of codes', async () => {
    const { email, device, recoveryCodes } = await officerByPasskey(strict())
    const browser = await anotherSession(email, strict())
    const statuses = []
    for (let turn = 0; turn < 11; turn++)
      statuses.push((await prove(browser, device, { origin: 'https://example.com' })).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
    const byCode = await browser.post('/api/console/second-factor/prove', { code: recoveryCodes[1] })
    expect(byCode.status).toBe(200)
  })
})

describe('the list', () => {
  const add = async (browser: TestBrowser, name: string, device = new SoftwareAuthenticator(SITE)) => {
    const options = (await browser.post('/api/console/passkeys/begin', {})).body as CreationOptions
    return browser.post('/api/console/passkeys', { name, credential: device.create(options) })
  }

  test('several are added with names, renamed and removed, the last one never', async () => {
    const { browser, email } = await officerByPasskey()
    const laptop = new SoftwareAuthenticator(SITE)
    const added = await add(browser, ' Laptop ', laptop)
    expect([added.status, (added.body as FactorList).passkeys.map(({ name }) => name)]).toEqual([
      201,
      ['Phone', 'Laptop'],
    ])
    const [phone, other] = (added.body as FactorList).passkeys
    const renamed = await browser.call('PUT', `/api/console/passkeys/${other?.id}`, { name: 'Clinic laptop' })
    expect((renamed.body as FactorList).passkeys[1]?.name).toBe('Clinic laptop')
    const nameless = await browser.call('PUT', `/api/console/passkeys/${other?.id}`, { name: ' ' })
    expect(nameless.body.errors.name).toMatch(/^Please give the passkey a name/)
    const removed = await browser.call('DELETE', `/api/console/passkeys/${phone?.id}`)
    expect((removed.body as FactorList).passkeys.map(({ name }) => name)).toEqual(['Clinic laptop'])
    const last = await browser.call('DELETE', `/api/console/passkeys/${other?.id}`)
    expect([last.status, last.body.code]).toEqual([409, 'LAST_FACTOR'])
    expect((await prove(await anotherSession(email), laptop)).status).toBe(200)
    await app().settle()
    expect(
      app()
        .standins.mails(email)
        .map(({ subject }) => subject),
    ).toEqual(expect.arrayContaining(['A passkey was added to your access', 'A passkey was removed from your access']))
    const history = (await browser.get('/api/console/audit?q=passkey')).body.entries as { action: string }[]
    expect(history.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['passkey.added', 'passkey.renamed', 'passkey.removed']),
    )
  })

  test('adding and removing ask for a fresh proof; passkeys of others are not found', async () => {
    const { browser, device } = await officerByPasskey()
    const { browser: other } = await officerByPasskey()
    const [theirs] = ((await other.get('/api/console/passkeys')).body as FactorList).passkeys
    for (const [method, body] of [
      ['PUT', { name: 'Mine' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await browser.call(method, `/api/console/passkeys/${theirs?.id}`, body)
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND'])
    }
    await app().advance(11 * 60_000)
    expect((await browser.post('/api/console/passkeys/begin', {})).body.code).toBe('SECOND_FACTOR_AGAIN')
    const [own] = ((await browser.get('/api/console/passkeys')).body as FactorList).passkeys
    const stale = await browser.call('DELETE', `/api/console/passkeys/${own?.id}`)
    expect(stale.body.code).toBe('SECOND_FACTOR_AGAIN')
    await prove(browser, device)
    expect((await add(browser, 'Second')).status).toBe(201)
  })

  test('the same passkey is not kept twice, nor for somebody else; ten are enough', async () => {
    const { browser } = await officerByPasskey()
    const { browser: other } = await officerByPasskey()
    const device = new SoftwareAuthenticator(SITE)
    // A device of the attacker's, with the id of a passkey that belongs to somebody.
    const options = (await browser.post('/api/console/passkeys/begin', {})).body as CreationOptions
    const taken = device.create(options)
    expect((await browser.post('/api/console/passkeys', { name: 'One', credential: taken })).status).toBe(201)
    const { challenge } = (await other.post('/api/console/passkeys/begin', {})).body as CreationOptions
    const clientDataJSON = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin: SITE })).toString(
      'base64url',
    )
    const stolen = await other.post('/api/console/passkeys', { name: 'One', credential: { ...taken, clientDataJSON } })
    expect([stolen.status, stolen.body.code]).toEqual([409, 'PASSKEY_KNOWN'])
    for (let turn = 2; turn < 10; turn++) expect((await add(browser, `Number ${turn}`)).status).toBe(201)
    expect((await browser.post('/api/console/passkeys/begin', {})).body.code).toBe('PASSKEYS_FULL')
  })

  test('an app is set up beside a passkey, after which either may go', async () => {
    const { browser, email } = await officerByPasskey()
    const begun = await browser.post('/api/console/second-factor/begin', { password: OFFICER_PASSWORD })
    const code = codeAt(begun.body.secret as string, app().now())
    const confirmed = await browser.post('/api/console/second-factor/confirm', { code })
    // The recovery codes from the first day stay.
    expect(confirmed.body.recoveryCodes).toEqual([])
    const both = (await browser.get('/api/console/passkeys')).body as FactorList
    expect([both.app?.since, both.recoveryCodesLeft]).toEqual([expect.any(String), 10])
    expect((await browser.call('DELETE', `/api/console/passkeys/${both.passkeys[0]?.id}`)).status).toBe(200)
    const last = await browser.call('DELETE', '/api/console/second-factor/app')
    expect([last.status, last.body.code]).toEqual([409, 'LAST_FACTOR'])
    await add(browser, 'Another')
    const gone = await browser.call('DELETE', '/api/console/second-factor/app')
    expect((gone.body as FactorList).app).toBeNull()
    const byCode = await (await anotherSession(email)).post('/api/console/second-factor/prove', { code })
    expect(byCode.body.errors.code).toMatch(/^This recovery code is not right/)
    await app().settle()
    expect(
      app()
        .standins.mails(email)
        .map(({ subject }) => subject),
    ).toEqual(
      expect.arrayContaining([
        'An authenticator app was added to your access',
        'Your authenticator app was removed from your access',
      ]),
    )
  })
})

test('passkeys stand in the personal data, and go with the account', async () => {
  const { browser, accountId } = await officerByPasskey()
  const { body } = await browser.get('/api/account/data')
  expect(body.passkeys).toEqual([{ name: 'Phone', addedAt: expect.any(String), lastUsedAt: null }])
  expect((await browser.call('DELETE', '/api/account', { password: OFFICER_PASSWORD })).status).toBeLessThan(300)
  await app().settle()
  const { db } = app().database
  for (const table of ['passkey', 'recovery_code', 'session_proof', 'passkey_challenge'] as const) {
    expect(await db.selectFrom(table).select('account_id').where('account_id', '=', accountId).execute()).toEqual([])
  }
})
