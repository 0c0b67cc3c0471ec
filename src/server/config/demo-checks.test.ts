import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, PROVIDER_SETTINGS, readConfig } from './config.ts'
import { claimDemoFolder } from './demo-folder.ts'

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig({ DEMO: 'on', ...environment })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.lines
    throw error
  }
}

test('a demo starts on stand-ins, and no provider can be connected in its console', () => {
  const config = readConfig({ DEMO: 'on', SITE_URL: 'https://demo.example.org' })
  expect(config).toMatchObject({ demo: true, fromEnvironment: [...PROVIDER_SETTINGS], rateLimitFactor: 1 })
  expect(config.withProviders({ SMTP_URL: 'smtp://mail.example.com' }).mail.smtpUrl).toBe('smtp://localhost:3002')
  expect(readConfig({}).demo).toBe(false)
})

test.each([
  ['DEMO is on with NODE_ENV=production', { NODE_ENV: 'production', SITE_URL: 'https://demo.example.org' }],
  ['STRIPE_SECRET_KEY is set', { STRIPE_SECRET_KEY: 'sk_test_123', STRIPE_PUBLISHABLE_KEY: 'pk_test_123' }],
  ['RECAPTCHA_SECRET_KEY is set', { RECAPTCHA_SECRET_KEY: 'secret' }],
  ['SMTP_URL is set', { SMTP_URL: 'smtp://localhost:25', MAIL_FROM: 'office@example.org' }],
  ['DATABASE_URL is set', { DATABASE_URL: 'postgres://localhost/association' }],
  ['DATABASE_URL is set', { DATABASE_URL: 'sqlite:data/association.db' }],
  ['NPI_REGISTRY_URL is set', { NPI_REGISTRY_URL: 'https://npiregistry.cms.hhs.gov/api' }],
  ['RATE_LIMITS is set', { RATE_LIMITS: 'off' }],
  ['STANDINS_URL is https://standins.example.org', { STANDINS_URL: 'https://standins.example.org' }],
])('a demo does not start when %s', (sentence, environment) => {
  expect(faultsOf(environment).join('\n')).toContain(sentence)
})

describe('the data directory', () => {
  function inFolder(act: (folder: string) => void): void {
    const folder = mkdtempSync(join(tmpdir(), 'demo-folder-'))
    try {
      act(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test('becomes that of the demo when it is new, and stays so', () => {
    inFolder((folder) => {
      claimDemoFolder(folder)
      writeFileSync(join(folder, 'association.db'), '')
      expect(() => claimDemoFolder(folder)).not.toThrow()
    })
  })

  test.each(['association.db', 'session-secret'])('is refused when a site that is no demo left %s in it', (file) => {
    inFolder((folder) => {
      writeFileSync(join(folder, file), '')
      expect(() => claimDemoFolder(folder)).toThrow(/a site that is no demo: choose a new folder/)
    })
  })
})
