import { base64url, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createSecrets } from '#server/lib/secrets.ts'
import { createSessionTokens } from './session-token.service.ts'

const NOW = Date.UTC(2030, 0, 1)
const SITE = 'https://example.org'
const secrets = createSecrets('a secret for tests, of fair length, and no other')
const tokens = createSessionTokens(secrets, SITE)
const key = secrets.key('session-token')
const claims = { accountId: 'account-1', sessionId: 'session-1', tokenVersion: 3, expiresAt: NOW + 60_000 }
const good = await tokens.sign(claims, NOW)

/** A token that is valid except for the given parts. */
function forge({
  key: signingKey = key,
  header = {},
  payload = {},
  without = [],
}: {
  key?: Uint8Array
  header?: Record<string, unknown>
  payload?: Record<string, unknown>
  without?: string[]
}): Promise<string> {
  const body: Record<string, unknown> = {
    sid: 'session-1',
    ver: 3,
    sub: 'account-1',
    iss: SITE,
    aud: 'members',
    iat: NOW / 1_000,
    exp: NOW / 1_000 + 60,
    ...payload,
  }
  for (const name of without) delete body[name]
  return new SignJWT(body).setProtectedHeader({ alg: 'HS256', typ: 'session+jwt', ...header }).sign(signingKey)
}

function encode(part: object): string {
  return base64url.encode(JSON.stringify(part))
}

const [head = '', body = '', signature = ''] = good.split('.')

test('a token contains account, session and version', async () => {
  expect(await tokens.verify(good, NOW)).toEqual(claims)
  expect(await tokens.verify(await forge({}), NOW)).toEqual(claims)
})

test('a token of the same site on another port is valid, since each instance has its own port', async () => {
  for (const site of ['http://localhost:3000', 'http://localhost:3010', 'http://localhost']) {
    const token = await createSessionTokens(secrets, site).sign(claims, NOW)
    expect(await createSessionTokens(secrets, 'http://localhost:3010').verify(token, NOW), site).toEqual(claims)
  }
})

test('its payload has exp in seconds and nothing personal', () => {
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
  expect(payload['exp']).toBe(NOW / 1_000 + 60)
  expect(Object.keys(payload).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'sid', 'sub', 'ver'])
})

test('expires to the second', async () => {
  expect(await tokens.verify(good, NOW + 59_999)).not.toBeNull()
  expect(await tokens.verify(good, NOW + 60_000)).toBeNull()
  expect(await tokens.verify(good, NOW + 61_000)).toBeNull()
})

describe('what is rejected (docs/product-rules.md#server-checks-of-a-token)', () => {
  test.each<[string, () => Promise<string> | string]>([
    ['nothing', () => ''],
    ['words', () => 'not a token'],
    ['two parts', () => `${head}.${body}`],
    ['four parts', () => `${good}.x`],
    ['no signature', () => `${head}.${body}.`],
    ['a signature cut short', () => good.slice(0, -4)],
    ['alg none', () => `${encode({ alg: 'none', typ: 'session+jwt' })}.${body}.`],
    ['alg None', () => `${encode({ alg: 'None', typ: 'session+jwt' })}.${body}.${signature}`],
    ['HS512 with our key', () => forge({ header: { alg: 'HS512' } })],
    [
      'another key',
      () => forge({ key: createSecrets('another secret for tests, of fair length too').key('session-token') }),
    ],
    ['our key of another purpose', () => forge({ key: secrets.key('cookie') })],
    ['an empty key', () => forge({ key: new Uint8Array(32) })],
    ['another issuer', () => forge({ payload: { iss: 'https://evil.example' } })],
    ['another audience', () => forge({ payload: { aud: 'officers' } })],
    ['another type', () => forge({ header: { typ: 'JWT' } })],
    ['no type', () => forge({ header: { typ: undefined } })],
    ['a key it brought along', () => forge({ header: { jwk: { kty: 'oct', k: 'AAAA' } }, key: new Uint8Array(32) })],
    ['a key from elsewhere', () => forge({ header: { jku: 'https://evil.example/jwks' }, key: new Uint8Array(32) })],
    [
      'an unknown critical header',
      () => `${encode({ alg: 'HS256', typ: 'session+jwt', crit: ['x'], x: 1 })}.${body}.${signature}`,
    ],
    ['no subject', () => forge({ without: ['sub'] })],
    ['no session', () => forge({ without: ['sid'] })],
    ['no version', () => forge({ without: ['ver'] })],
    ['no end', () => forge({ without: ['exp'] })],
    ['no beginning', () => forge({ without: ['iat'] })],
    ['an end in the past', () => forge({ payload: { exp: NOW / 1_000 - 1 } })],
    ['an end in milliseconds, as text', () => forge({ payload: { exp: String(NOW + 60_000) as unknown as number } })],
    ['a session that is no text', () => forge({ payload: { sid: { $ne: null } } })],
    ['a version that is no number', () => forge({ payload: { ver: '3' } })],
    ['not before tomorrow', () => forge({ payload: { nbf: NOW / 1_000 + 86_400 } })],
    ['the body of another with this signature', () => `${head}.${encode({ sub: 'account-2', exp: 9e9 })}.${signature}`],
  ])('%s', async (_name, make) => {
    let token = ''
    try {
      token = await make()
    } catch {
      return // The library refuses to create it.
    }
    expect(await tokens.verify(token, NOW)).toBeNull()
  })

  test('any single changed character', async () => {
    const characters = [...good]
    for (let at = 0; at < characters.length; at += 3) {
      const changed = [...characters]
      changed[at] = characters[at] === 'A' ? 'B' : 'A'
      const token = changed.join('')
      // Some bits of the last character of a part are unused.
      if (
        Buffer.from(token.split('.')[2] ?? '', 'base64url').equals(Buffer.from(signature, 'base64url')) &&
        token.startsWith(`${head}.${body}.`)
      )
        continue
      expect(await tokens.verify(token, NOW), `character ${at}`).toBeNull()
    }
  })

  test('a token of another site with the same secret', async () => {
    expect(await createSessionTokens(secrets, 'https://other.example').verify(good, NOW)).toBeNull()
  })

  test.each([
    'http://example.org',
    'https://www.example.org',
    'https://example.org.evil.example',
    'https://example.org@evil.example',
    'https://user@example.org',
    'https://example.org/path',
    'https://example.org/',
    'example.org',
    'null',
    '',
    { toString: SITE },
    [SITE],
  ])('the issuer %j', async (iss) => {
    expect(await tokens.verify(await forge({ payload: { iss } }), NOW)).toBeNull()
  })
})
