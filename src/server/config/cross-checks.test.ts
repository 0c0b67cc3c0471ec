import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_123',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_123',
  STRIPE_WEBHOOK_SECRET: 'whsec_123',
}
const liveStripe = { ...stripe, STRIPE_SECRET_KEY: 'sk_live_123', STRIPE_PUBLISHABLE_KEY: 'pk_live_123' }
const production = {
  NODE_ENV: 'production',
  SITE_URL: 'https://example.org',
  RECAPTCHA_SITE_KEY: 'site',
  RECAPTCHA_SECRET_KEY: 'secret',
  SMTP_URL: 'smtps://mail.example.org',
  MAIL_FROM: 'Association <office@example.org>',
  OFFICERS_EMAIL: 'office@example.org',
  ...liveStripe,
}

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.lines
    throw error
  }
}

describe('production', () => {
  test('starts with every provider set, without stand-ins and without a warning', () => {
    const config = readConfig(production)
    expect(config).toMatchObject({ production: true, standinsUrl: null, npiRegistryUrl: null, warnings: [] })
    expect(config.stripe).toMatchObject({ live: true, apiUrl: null })
    expect(config.recaptcha.verifyUrl).toBe('https://www.google.com/recaptcha/api/siteverify')
  })

  test.each([
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'RECAPTCHA_SITE_KEY',
    'RECAPTCHA_SECRET_KEY',
    'SMTP_URL',
    'MAIL_FROM',
  ])('misses %s, in one line with the fix: only a site that is being set up starts without it', (name) => {
    const { missingProviders } = readConfig({ ...production, [name]: '' })
    expect(missingProviders).toHaveLength(1)
    expect(missingProviders[0]).toMatch(
      new RegExp(`^${name} is missing \\(NODE_ENV=production needs real providers\\): (copy|such as) .+\\.$`),
    )
  })

  test.each([
    ['SITE_URL', 'such as https://example.org'],
    ['OFFICERS_EMAIL', 'alerts and messages from visitors'],
  ])('refuses to guess %s, which has no sensible default', (name, cure) => {
    const faults = faultsOf({ ...production, ...stripe, [name]: ' ' })
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} is missing: .*${cure}`))])
  })

  test('names every missing setting at once', () => {
    expect(faultsOf({ NODE_ENV: 'production' })).toHaveLength(2)
    const { NODE_ENV, SITE_URL, OFFICERS_EMAIL } = production
    expect(readConfig({ NODE_ENV, SITE_URL, OFFICERS_EMAIL }).missingProviders).toHaveLength(7)
  })

  test('gets its providers from the console, unless the environment has them', () => {
    const { SMTP_URL: _url, ...rest } = production
    const config = readConfig(rest).withProviders({ SMTP_URL: 'smtp://stored.example.org', MAIL_FROM: 'x@example.org' })
    expect(config.mail).toMatchObject({ smtpUrl: 'smtp://stored.example.org', from: production.MAIL_FROM })
    expect(config.missingProviders).toEqual([])
    expect(config.fromEnvironment).not.toContain('SMTP_URL')
    expect(config.fromEnvironment).toContain('MAIL_FROM')
  })

  test('starts closed, and open with SETUP=off', () => {
    expect(readConfig(production).startsClosed).toBe(true)
    expect(readConfig({ ...production, SETUP: 'off' }).startsClosed).toBe(false)
    expect(readConfig({}).startsClosed).toBe(false)
  })

  test('uses no stand-in, even when one is configured', () => {
    expect(readConfig({ ...production, STANDINS_URL: 'http://localhost:3001' }).standinsUrl).toBeNull()
  })

  test('starts with a test key and prints a warning', () => {
    expect(readConfig({ ...production, ...stripe }).warnings).toEqual([
      'STRIPE_SECRET_KEY is a test key: no real payments are taken. Use the live key when you go live.',
    ])
  })

  test.each(['off', 'x100'])('refuses RATE_LIMITS=%s', (value) => {
    expect(faultsOf({ ...production, RATE_LIMITS: value })).toEqual([
      'RATE_LIMITS is set: remove it, limits cannot be changed with NODE_ENV=production.',
    ])
  })

  test('refuses an origin over which passwords would be sent in the clear', () => {
    const faults = faultsOf({ ...production, ...stripe, SITE_URL: 'http://example.org' })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain('SITE_URL is http://example.org: passwords require https')
  })
})

test.each(['/srv/site', '/srv/site/media/backups'])('backups inside DATA_DIR (%s) are refused', (directory) => {
  expect(faultsOf({ DATA_DIR: '/srv/site', BACKUP_DIR: directory })).toEqual([
    'BACKUP_DIR is inside DATA_DIR: use a folder outside it, ideally on another disk.',
  ])
  expect(faultsOf({ DATA_DIR: '/srv/site', BACKUP_DIR: '/srv/site-backups' })).toEqual([])
})

describe('live keys and test keys (docs/product-rules.md#test-and-live-keys)', () => {
  test.each([
    ['sk_live_123', 'http://example.org'],
    ['sk_live_123', 'http://localhost:3000'],
    ['sk_live_123', 'https://localhost:3000'],
    ['sk_live_123', 'https://127.0.0.1'],
    ['rk_live_123', 'http://example.org'],
  ])('%s refuses to start on %s', (key, siteUrl) => {
    const faults = faultsOf({ ...liveStripe, STRIPE_SECRET_KEY: key, SITE_URL: siteUrl })
    expect(faults).toEqual([
      `STRIPE_SECRET_KEY is a live key but SITE_URL is ${siteUrl}: use a test key, or the site's https address.`,
    ])
  })

  test('a live key is never sent to an address other than Stripe', () => {
    const faults = faultsOf({ ...production, STRIPE_API_URL: 'http://localhost:3001' })
    expect(faults).toEqual(['STRIPE_API_URL is set with a live key: remove it, live keys are only sent to Stripe.'])
  })

  test.each([
    ['sk_test_123', 'pk_live_123'],
    ['sk_live_123', 'pk_test_123'],
  ])('%s with %s is refused: the modes differ', (secret, publishable) => {
    const faults = faultsOf({ ...production, STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain('have different modes: use two test keys or two live keys')
  })

  test('an invalid key is refused', () => {
    expect(faultsOf({ ...stripe, STRIPE_SECRET_KEY: 'pk_test_123' })[0]).toContain('copy it again')
  })

  test('the keys of a real account go to Stripe, not to the stand-in', () => {
    expect(readConfig(stripe).stripe.apiUrl).toBeNull()
  })

  test('a secret key alone requires the keys that belong to it', () => {
    const { missingProviders } = readConfig({ STRIPE_SECRET_KEY: 'sk_test_123' })
    expect(missingProviders.map((line) => line.split(' ')[0])).toEqual([
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_WEBHOOK_SECRET',
    ])
    expect(missingProviders[0]).toContain('the configured provider needs it')
  })
})
