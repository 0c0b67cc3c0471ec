import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makePassSettings } from '#tests/support/files/pass-certificates.ts'
import { ConfigError, readConfig, type Config } from './config.ts'

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.lines
    throw error
  }
}

test('no setting is required: every default is the documented one', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    production: false,
    port: 3000,
    host: '127.0.0.1',
    siteUrl: 'http://localhost:3000',
    dataDirectory: resolve('data'),
    databaseUrl: `sqlite:${resolve('data')}/association.db`,
    timeZone: null,
    officersEmail: 'office@example.org',
    logLevel: 'info',
    trustProxy: false,
    sessionSecret: null,
    rateLimitFactor: 1,
    standinsUrl: 'http://localhost:3001',
    mapEmbedUrl: 'http://localhost:3001/map',
    npiRegistryUrl: 'http://localhost:3001/npi',
    storage: null,
    warnings: [],
  })
  expect(config.mail).toMatchObject({ smtpUrl: 'smtp://localhost:3002', bounceAddress: null, dkim: null })
  expect(config.stripe).toMatchObject({ apiUrl: 'http://localhost:3001', live: false })
  expect(config.recaptcha).toMatchObject({
    scriptUrl: 'http://localhost:3001/recaptcha/api.js',
    verifyUrl: 'http://localhost:3001/recaptcha/api/siteverify',
  })
})

test('blank counts as unset', () => {
  const blank = readConfig({ PORT: ' ', SITE_URL: '', DATABASE_URL: '  ', SESSION_SECRET: '', SMTP_URL: ' ' })
  expect({ ...blank, withProviders: null }).toEqual({ ...readConfig({}), withProviders: null })
})

test('the addresses of the stand-ins follow from the port', () => {
  const config = readConfig({ PORT: '4100' })
  expect(config.siteUrl).toBe('http://localhost:4100')
  expect(config.standinsUrl).toBe('http://localhost:4101')
  expect(config.mail.smtpUrl).toBe('smtp://localhost:4102')
})

test('the data directory alone moves everything', () => {
  expect(readConfig({ DATA_DIR: '/srv/site' })).toMatchObject({
    dataDirectory: '/srv/site',
    databaseUrl: 'sqlite:/srv/site/association.db',
  })
})

test('a real provider replaces its stand-in, the others stay', () => {
  const config = readConfig({ SMTP_URL: 'smtp://mail.example.org:25', MAIL_FROM: 'Us <us@example.org>' })
  expect(config.mail.smtpUrl).toBe('smtp://mail.example.org:25')
  expect(config.standinsUrl).toBe('http://localhost:3001')
})

describe('each variable', () => {
  test.each<[string, string, (config: Config) => unknown, unknown]>([
    ['PORT', '8080', (config) => config.port, 8080],
    ['HOST', '0.0.0.0', (config) => config.host, '0.0.0.0'],
    ['SITE_URL', 'https://example.org', (config) => config.siteUrl, 'https://example.org'],
    ['SITE_URL', 'https://example.org/', (config) => config.siteUrl, 'https://example.org'],
    ['DATABASE_URL', 'postgres://u:p@db/site', (config) => config.databaseUrl, 'postgres://u:p@db/site'],
    ['DATABASE_URL', 'sqlite::memory:', (config) => config.databaseUrl, 'sqlite::memory:'],
    ['DATABASE_URL', 'sqlite:x/y.db', (config) => config.databaseUrl, `sqlite:${resolve('x/y.db')}`],
    ['BUILD_DIR', '/srv/build', (config) => config.buildDirectory, '/srv/build'],
    ['ASSOCIATION_TIMEZONE', 'Pacific/Kiritimati', (config) => config.timeZone, 'Pacific/Kiritimati'],
    ['OFFICERS_EMAIL', 'a@b.example', (config) => config.officersEmail, 'a@b.example'],
    ['LOG_LEVEL', 'silent', (config) => config.logLevel, 'silent'],
    ['TRUST_PROXY', 'off', (config) => config.trustProxy, false],
    ['TRUST_PROXY', '0', (config) => config.trustProxy, false],
    ['TRUST_PROXY', '2', (config) => config.trustProxy, 2],
    ['TRUST_PROXY', '10.0.0.1, fd00::/8', (config) => config.trustProxy, ['10.0.0.1', 'fd00::/8']],
    ['SESSION_SECRET', 'x'.repeat(32), (config) => config.sessionSecret, 'x'.repeat(32)],
    ['SAMPLES', 'few', (config) => config.samples, 'few'],
    ['RATE_LIMITS', 'off', (config) => config.rateLimitFactor, null],
    ['RATE_LIMITS', 'x100', (config) => config.rateLimitFactor, 100],
    ['MAP_EMBED_URL', 'https://maps.example/e?x=1', (config) => config.mapEmbedUrl, 'https://maps.example/e?x=1'],
    [
      'RECAPTCHA_URL',
      'https://www.recaptcha.net/recaptcha/',
      (config) => config.recaptcha.scriptUrl,
      'https://www.recaptcha.net/recaptcha/api.js',
    ],
    ['BOUNCE_ADDRESS', 'bounces@example.org', (config) => config.mail.bounceAddress, 'bounces@example.org'],
    ['STANDINS_URL', 'http://10.1.1.1:9000', (config) => config.stripe.apiUrl, 'http://10.1.1.1:9000'],
    ['STANDINS_PORT', '9000', (config) => config.standinsUrl, 'http://localhost:9000'],
    ['SMTP_STANDIN_PORT', '9001', (config) => config.mail.smtpUrl, 'smtp://localhost:9001'],
  ])('%s=%s is accepted', (name, value, read, expected) => {
    expect(read(readConfig({ [name]: value }))).toEqual(expected)
  })

  test.each([
    ['PORT', 'http', 'use a whole number from 1 to 65535'],
    ['PORT', '0', 'use a whole number from 1 to 65535'],
    ['PORT', '80.5', 'use a whole number from 1 to 65535'],
    ['STANDINS_PORT', '70000', 'use a whole number from 1 to 65535'],
    ['SMTP_STANDIN_PORT', '-1', 'use a whole number from 1 to 65535'],
    ['SITE_URL', 'example.org', 'use a full address such as https://example.org'],
    ['SITE_URL', 'ftp://example.org', 'use a full address such as https://example.org'],
    ['SITE_URL', 'https://example.org/site', 'remove everything after the host, like https://example.org'],
    ['STANDINS_URL', 'localhost:3001', 'use a full address'],
    ['MAP_EMBED_URL', 'javascript:alert(1)', 'use a full address'],
    ['RECAPTCHA_URL', 'recaptcha.net', 'use a full address'],
    ['DATABASE_URL', 'mysql://db/site', 'neither sqlite:PATH nor postgres://'],
    ['ASSOCIATION_TIMEZONE', 'Georgia', 'use a zone name such as America/Chicago'],
    ['OFFICERS_EMAIL', 'office', 'use an email address'],
    ['BOUNCE_ADDRESS', 'bounces@', 'use an email address'],
    ['MAIL_FROM', 'The Office', 'such as Association <office@example.org>'],
    ['LOG_LEVEL', 'loud', 'use one of debug, info, warn, error, silent'],
    ['TRUST_PROXY', 'yes', 'use off, a number of proxies, or their addresses'],
    ['TRUST_PROXY', '-1', 'use off, a number of proxies, or their addresses'],
    ['RATE_LIMITS', '100', 'remove it, or for benchmarks use off or a factor such as x100'],
    ['RATE_LIMITS', 'x0', 'remove it, or for benchmarks use off or a factor such as x100'],
    ['SESSION_SECRET', 'short', 'generate one with "openssl rand -base64 48"'],
    ['SESSION_SECRET', 'x'.repeat(31), 'shorter than 32 bytes'],
    ['SMTP_URL', 'mail.example.org', 'does not begin with smtp:// or smtps://'],
  ])('%s=%s is refused in one line that names it and the fix', (name, value, cure) => {
    const faults = faultsOf({ MAIL_FROM: 'office@example.org', [name]: value })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(name)
    expect(faults[0]).toContain(cure)
  })

  test('several mistakes are reported together', () => {
    const faults = faultsOf({ PORT: 'x', LOG_LEVEL: 'y', SESSION_SECRET: 'z' })
    expect(faults.map((line) => line.split(' ')[0])).toEqual(['PORT', 'LOG_LEVEL', 'SESSION_SECRET'])
  })

  test('no fault ever repeats a secret', () => {
    const faults = faultsOf({ SESSION_SECRET: 'too-short-secret', STRIPE_SECRET_KEY: 'wrong-kind-of-key' }).join('\n')
    expect(faults).not.toContain('too-short-secret')
    expect(faults).not.toContain('wrong-kind-of-key')
  })
})

describe('groups', () => {
  const dkim = { DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 'site', DKIM_PRIVATE_KEY: 'a\\nb' }
  const storage = {
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'key',
    S3_BUCKET_HOME: 'home',
    S3_BUCKET_CLINIC: 'clinic',
    S3_BUCKET_EXEC: 'exec',
  }

  test('complete groups are accepted, with line breaks in the key', () => {
    const config = readConfig({ ...dkim, ...storage, S3_ENDPOINT: 'https://s3.example.org' })
    expect(config.mail.dkim).toEqual({ domain: 'example.org', selector: 'site', privateKey: 'a\nb' })
    expect(config.storage).toMatchObject({
      endpoint: 'https://s3.example.org',
      region: 'us-east-1',
      buckets: { home: 'home', clinic: 'clinic', exec: 'exec' },
    })
  })

  test.each(Object.keys(dkim))('without %s the rest of DKIM is refused', (name) => {
    const faults = faultsOf({ ...dkim, [name]: '' })
    expect(faults).toEqual([`${name} is missing: set it too, or remove ${Object.keys(dkim).join(', ')}.`])
  })

  test.each(Object.keys(storage))('without %s the rest of the storage is refused', (name) => {
    expect(faultsOf({ ...storage, [name]: '' })).toEqual([
      `${name} is missing: set it too, or remove ${Object.keys(storage).join(', ')}.`,
    ])
  })

  test('releases need the address and the key of their publisher, and the key is checked', () => {
    const RELEASES_URL = 'https://releases.example.org/newest.json'
    expect(readConfig({}).releases).toBe(null)
    expect(faultsOf({ RELEASES_URL })).toEqual([
      'RELEASES_KEY is missing: set it too, or remove RELEASES_URL, RELEASES_KEY.',
    ])
    expect(faultsOf({ RELEASES_URL, RELEASES_KEY: 'bm90IGEga2V5' })).toEqual([
      'RELEASES_KEY is not an Ed25519 public key in base64: copy it again from the publisher of the releases.',
    ])
  })

  test('Apple Wallet needs a certificate of a pass, its key and its issuer, in PEM', () => {
    const wallet = makePassSettings()
    const inOneLine = Object.fromEntries(
      Object.entries(wallet).map(([name, pem]) => [name, pem.replaceAll('\n', '\\n')]),
    )
    expect(readConfig({}).appleWallet).toBe(null)
    expect(readConfig(inOneLine).appleWallet).toMatchObject({ privateKey: wallet.APPLE_WALLET_PRIVATE_KEY })
    const other = makePassSettings()
    for (const [name, value, fault] of [
      ['APPLE_WALLET_CERTIFICATE', '', /^APPLE_WALLET_CERTIFICATE is missing/],
      ['APPLE_WALLET_CERTIFICATE', 'my certificate', /^APPLE_WALLET_CERTIFICATE is not the certificate of a pass type/],
      ['APPLE_WALLET_CERTIFICATE', wallet.APPLE_WALLET_ISSUER_CERTIFICATE, /^APPLE_WALLET_CERTIFICATE is not the/],
      ['APPLE_WALLET_PRIVATE_KEY', other.APPLE_WALLET_PRIVATE_KEY, /^APPLE_WALLET_PRIVATE_KEY is not the key of/],
      ['APPLE_WALLET_PRIVATE_KEY', 'my key', /^APPLE_WALLET_PRIVATE_KEY is not the key of/],
      [
        'APPLE_WALLET_ISSUER_CERTIFICATE',
        other.APPLE_WALLET_ISSUER_CERTIFICATE,
        /^APPLE_WALLET_ISSUER_CERTIFICATE did not/,
      ],
      ['APPLE_WALLET_ISSUER_CERTIFICATE', 'Apple', /^APPLE_WALLET_ISSUER_CERTIFICATE did not issue/],
    ] as const)
      expect(faultsOf({ ...wallet, [name]: value })).toEqual([expect.stringMatching(fault) as string])
  })

  test('Google Wallet needs all three settings, and a key in PEM', () => {
    const wallet = {
      GOOGLE_WALLET_ISSUER_ID: '3388000000012345678',
      GOOGLE_WALLET_EMAIL: 'wallet@example.iam.gserviceaccount.com',
      GOOGLE_WALLET_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\\nAA==\\n-----END PRIVATE KEY-----',
    }
    expect(readConfig({}).googleWallet).toBe(null)
    expect(readConfig(wallet).googleWallet).toEqual({
      issuerId: '3388000000012345678',
      email: 'wallet@example.iam.gserviceaccount.com',
      privateKey: '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----',
    })
    for (const name of Object.keys(wallet))
      expect(faultsOf({ ...wallet, [name]: '' })).toEqual([
        `${name} is missing: set it too, or remove ${Object.keys(wallet).join(', ')}.`,
      ])
    expect(faultsOf({ ...wallet, GOOGLE_WALLET_PRIVATE_KEY: 'my-key' })).toEqual([
      expect.stringMatching(/^GOOGLE_WALLET_PRIVATE_KEY is not a private key in PEM/) as string,
    ])
  })

  test.each([
    ['S3_ENDPOINT', 'https://s3.example.org'],
    ['S3_REGION', 'us-east-2'],
  ])('%s alone is refused: it would have no effect', (name, value) => {
    const faults = faultsOf({ [name]: value })
    expect(faults).toHaveLength(5)
    expect(faults[0]).toContain(`S3_ACCESS_KEY_ID is missing: set it too, or remove ${name}, S3_ACCESS_KEY_ID`)
  })
})
