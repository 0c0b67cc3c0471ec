import { describe, expect, test } from 'vitest'
import type { CreationOptions, FactorList } from '#contract/public/passkeys.ts'
import { SoftwareAuthenticator } from '#tests/support/browser/authenticator.ts'
import { totpCodeAt, OFFICER_PASSWORD } from '#tests/support/officers.ts'
import { anotherSession, officerByPasskey, proveByDevice, SITE } from '#tests/support/browser/passkeys.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })

describe('the list', () => {
  const add = async (browser: TestBrowser, name: string, device = new SoftwareAuthenticator(SITE)) => {
    const options = (await browser.post('/api/console/passkeys/begin', {})).body as CreationOptions
    return browser.post('/api/console/passkeys', { name, credential: device.create(options) })
  }

  test('passkeys are added with names, renamed and removed, except the last one', async () => {
    const { browser, email } = await officerByPasskey(app())
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
    const elsewhere = await anotherSession(app(), email)
    await proveByDevice(elsewhere, laptop)
    expect((await elsewhere.get('/api/console/today')).status).toBe(200)
    const removed = await browser.call('DELETE', `/api/console/passkeys/${phone?.id}`)
    // A lost phone may have an open session.
    expect((await elsewhere.get('/api/console/today')).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await browser.get('/api/console/today')).status).toBe(200)
    expect((removed.body as FactorList).passkeys.map(({ name }) => name)).toEqual(['Clinic laptop'])
    const last = await browser.call('DELETE', `/api/console/passkeys/${other?.id}`)
    expect([last.status, last.body.code]).toEqual([409, 'LAST_FACTOR'])
    expect((await proveByDevice(await anotherSession(app(), email), laptop)).status).toBe(200)
    await app().drain()
    expect(
      app()
        .standins.mails(email)
        .map(({ subject }) => subject),
    ).toEqual(
      expect.arrayContaining(['A passkey was added to your account', 'A passkey was removed from your account']),
    )
    const history = (await browser.get('/api/console/audit?q=passkey')).body.entries as { action: string }[]
    expect(history.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['passkey.added', 'passkey.renamed', 'passkey.removed']),
    )
  })

  test('adding and removing require fresh verification; passkeys of others are not found', async () => {
    const { browser, device } = await officerByPasskey(app())
    const { browser: other } = await officerByPasskey(app())
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
    await proveByDevice(browser, device)
    expect((await add(browser, 'Second')).status).toBe(201)
  })

  test('a passkey cannot be registered twice, not even by another officer; the limit is ten', async () => {
    const { browser } = await officerByPasskey(app())
    const { browser: other } = await officerByPasskey(app())
    const device = new SoftwareAuthenticator(SITE)
    // An attacker's device that reuses the id of another officer's passkey.
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

  test('an app is added beside a passkey; then either can be removed', async () => {
    const { browser, email } = await officerByPasskey(app())
    const begun = await browser.post('/api/console/second-factor/begin', { password: OFFICER_PASSWORD })
    const code = totpCodeAt(begun.body.secret as string, app().now())
    const confirmed = await browser.post('/api/console/second-factor/confirm', { code })
    // The recovery codes from the first setup are kept.
    expect(confirmed.body.recoveryCodes).toEqual([])
    const both = (await browser.get('/api/console/passkeys')).body as FactorList
    expect([both.app?.since, both.recoveryCodesLeft]).toEqual([expect.any(String), 10])
    expect((await browser.call('DELETE', `/api/console/passkeys/${both.passkeys[0]?.id}`)).status).toBe(200)
    const last = await browser.call('DELETE', '/api/console/second-factor/app')
    expect([last.status, last.body.code]).toEqual([409, 'LAST_FACTOR'])
    await add(browser, 'Another')
    const gone = await browser.call('DELETE', '/api/console/second-factor/app')
    expect((gone.body as FactorList).app).toBeNull()
    const byCode = await (await anotherSession(app(), email)).post('/api/console/second-factor/prove', { code })
    expect(byCode.body.errors.code).toMatch(/^This recovery code is incorrect/)
    await app().drain()
    expect(
      app()
        .standins.mails(email)
        .map(({ subject }) => subject),
    ).toEqual(
      expect.arrayContaining([
        'An authenticator app was added to your account',
        'Your authenticator app was removed from your account',
      ]),
    )
  })
})

test('passkeys are part of the personal data, and are deleted with the account', async () => {
  const { browser, accountId } = await officerByPasskey(app())
  const { body } = await browser.get('/api/account/data')
  expect(body.passkeys).toEqual([{ name: 'Phone', addedAt: expect.any(String), lastUsedAt: null }])
  expect((await browser.call('DELETE', '/api/account', { password: OFFICER_PASSWORD })).status).toBeLessThan(300)
  await app().drain()
  const { db } = app().database
  for (const table of ['passkey', 'recoveryCode', 'sessionProof', 'passkeyChallenge'] as const) {
    expect(await db.selectFrom(table).select('accountId').where('accountId', '=', accountId).execute()).toEqual([])
  }
})
