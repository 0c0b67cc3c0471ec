import { generateKeyPairSync } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import type { MembershipCard } from '#contract/public/my-account/membership-card.ts'
import { joinForDirectory, type DirectoryMember } from '#tests/support/content/directory.ts'
import { makePassSettings, readPass } from '#tests/support/files/pass-certificates.ts'
import { DAY_MS, deactivate } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const WALLET = {
  GOOGLE_WALLET_ISSUER_ID: '3388000000012345678',
  GOOGLE_WALLET_EMAIL: 'wallet@example.iam.gserviceaccount.com',
  GOOGLE_WALLET_PRIVATE_KEY: pem.replaceAll('\n', '\\n'),
}
const PASS = makePassSettings()
const app = useTestApp({ environment: { RATE_LIMITS: 'x100', ...WALLET, ...PASS } })

const CARD = '/api/account/card'
const join = (given: Record<string, unknown> = {}) => joinForDirectory(app(), given)
const open = async ({ browser }: Pick<DirectoryMember, 'browser'>) => (await browser.get(CARD)).body as MembershipCard

test('a card that has lapsed is offered for no wallet', async () => {
  const member = await join()
  await setEnded(member)
  expect(await open(member)).toMatchObject({ hasGoogleWallet: false, hasAppleWallet: false })
  for (const wallet of ['google', 'apple'])
    expect((await member.browser.get(`${CARD}/${wallet}-wallet`)).status).toBe(404)
})

const setEnded = ({ id }: DirectoryMember) =>
  app()
    .database.db.updateTable('membership')
    .set({ endedAt: app().now() - DAY_MS })
    .where('accountId', '=', id)
    .execute()

describe('Google Wallet', () => {
  test('gets a signed pass with the code, and nothing that a saved pass would keep after it changed', async () => {
    const member = await join({ firstName: 'Tulika', lastName: 'Raghunathan' })
    const card = await open(member)
    expect(card.hasGoogleWallet).toBe(true)
    const { url } = (await member.browser.get(`${CARD}/google-wallet`)).body as { url: string }
    const token = url.replace('https://pay.google.com/gp/v/save/', '')
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', typ: 'JWT' })
    const { payload } = await jwtVerify(token, publicKey, { issuer: WALLET.GOOGLE_WALLET_EMAIL, audience: 'google' })
    expect(payload['typ']).toBe('savetowallet')
    const [pass] = (payload['payload'] as { genericObjects: Record<string, unknown>[] }).genericObjects
    expect(pass).toMatchObject({
      classId: '3388000000012345678.membership',
      header: { defaultValue: { value: 'Tulika Raghunathan' } },
      barcode: { type: 'QR_CODE', value: card.code?.url },
    })
    expect(JSON.stringify(pass)).not.toContain(member.email)
    expect(JSON.stringify(pass)).not.toContain(member.id)
    expect(String(pass?.['id'])).toMatch(/^3388000000012345678\.[\w.-]+$/)
  })
})

describe('Apple Wallet', () => {
  const LINK = `${CARD}/apple-wallet`
  const linkOf = async ({ browser }: Pick<DirectoryMember, 'browser'>) =>
    String(((await browser.get(LINK)).body as { url: string }).url)
  /** Opened by a phone without a log-in. */
  const follow = async (link: string) => {
    const response = await fetch(app().url + link)
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      bytes: Buffer.from(await response.arrayBuffer()),
    }
  }

  test('gets a signed pass from an address that needs no log-in, with the code and nothing that changes', async () => {
    const member = await join({ firstName: 'Tulika', lastName: 'Raghunathan' })
    const card = await open(member)
    expect(card.hasAppleWallet).toBe(true)
    const { status, type, bytes } = await follow(await linkOf(member))
    expect([status, type]).toEqual([200, 'application/vnd.apple.pkpass'])
    const pass = readPass(bytes, PASS.APPLE_WALLET_CERTIFICATE)
    expect(pass).toMatchObject({
      passTypeIdentifier: 'pass.org.example.membership',
      teamIdentifier: 'A1B2C3D4E5',
      barcodes: [{ format: 'PKBarcodeFormatQR', message: card.code?.url }],
      generic: {
        primaryFields: [{ value: 'Tulika Raghunathan' }],
        secondaryFields: [{ value: String(card.number) }],
      },
      files: ['icon.png', 'icon@2x.png', 'icon@3x.png', 'pass.json'],
    })
    expect(JSON.stringify(pass)).not.toContain(member.email)
    expect(JSON.stringify(pass)).not.toContain(member.id)
  })

  test('a pass that was changed, or signed by another certificate, is no pass', async () => {
    const { bytes } = await follow(await linkOf(await join({ firstName: 'Tulika' })))
    const changed = Buffer.from(bytes)
    changed.write('Malika', changed.indexOf('Tulika'))
    expect(() => readPass(changed, PASS.APPLE_WALLET_CERTIFICATE)).toThrow('digest of pass.json')
    expect(() => readPass(bytes, makePassSettings().APPLE_WALLET_CERTIFICATE)).toThrow('not that of the certificate')
  })

  test('the address works for a minute, for an account that is in use and a card that has a code', async () => {
    const member = await join()
    const link = await linkOf(member)
    await app().advance(61_000)
    expect((await follow(link)).status).toBe(404)
    const fresh = await linkOf(member)
    expect((await follow(`${fresh.slice(0, -3)}abc`)).status).toBe(404)
    expect((await follow(fresh)).status).toBe(200)
    await deactivate(app(), member.email, 'officer')
    expect((await follow(fresh)).status).toBe(404)
  })

  test('an address that a card without a code had before leads nowhere', async () => {
    const member = await join()
    const fresh = await linkOf(member)
    await setEnded(member)
    expect((await follow(fresh)).status).toBe(404)
  })
})

describe('a certificate for Apple Wallet that has expired', () => {
  const expired = useTestApp({ environment: makePassSettings({ endsAt: new Date('2021-01-01T00:00:00Z') }) })

  test('signs no cards', async () => {
    const member = await joinForDirectory(expired(), {})
    expect(await open(member)).toMatchObject({ hasAppleWallet: false })
    expect((await member.browser.get(`${CARD}/apple-wallet`)).status).toBe(404)
  })
})

describe('without the settings', () => {
  const plain = useTestApp({})

  test('there is no wallet', async () => {
    const member = await joinForDirectory(plain(), {})
    expect(await open(member)).toMatchObject({ hasGoogleWallet: false, hasAppleWallet: false })
    for (const wallet of ['google', 'apple'])
      expect((await member.browser.get(`${CARD}/${wallet}-wallet`)).status).toBe(404)
  })
})
