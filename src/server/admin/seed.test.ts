import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig, type Config } from '../config/config.ts'
import { openDatabase } from '../db/open-database.ts'
import { runCommand } from './commands.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const REAL = {
  NODE_ENV: 'production',
  SITE_URL: 'https://example.org',
  STRIPE_SECRET_KEY: 'sk_test_123',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_123',
  STRIPE_WEBHOOK_SECRET: 'whsec_123',
  RECAPTCHA_SITE_KEY: 'site',
  RECAPTCHA_SECRET_KEY: 'secret',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Us <office@example.org>',
  OFFICERS_EMAIL: 'office@example.org',
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-seed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function seed(environment: Record<string, string>, ...args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const code = await runCommand(['seed', ...args], settings(environment), (line) => void lines.push(line))
  return { code, output: lines.join('\n') }
}

function settings(environment: Record<string, string>): Config {
  return readConfig({ DATA_DIR: folder, ...environment })
}

async function count(table: 'account' | 'contentRecord'): Promise<number> {
  const { db, close } = openDatabase(settings({}).databaseUrl, quiet)
  try {
    const { rows } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll().as('rows'))
      .executeTakeFirstOrThrow()
    return Number(rows)
  } finally {
    await close()
  }
}

test('a production site gets its content and never the sample people', async () => {
  expect(await seed(REAL, '--samples')).toEqual({
    code: 1,
    output:
      'The samples are fictional people and payments, which are not allowed with NODE_ENV=production. Run "seed" without --samples.',
  })
  expect(await count('contentRecord')).toBe(0)
  expect(await seed({ ...REAL, SAMPLES: 'many' })).toEqual({
    code: 0,
    output: 'Seeded with pages, levels and settings, without people.',
  })
  expect([await count('account'), (await count('contentRecord')) > 0]).toEqual([0, true])
})

test('elsewhere samples are optional; existing content is left alone; unknown options are refused', async () => {
  const withoutStandins = { STANDINS_URL: 'http://127.0.0.1:9' }
  expect((await seed(withoutStandins, '--sample')).code).toBe(2)
  expect((await seed(withoutStandins, '--samples')).output).toContain('with sample people')
  const people = await count('account')
  expect(people).toBeGreaterThan(0)
  expect((await seed(withoutStandins)).output).toContain('already has content')
  expect(await count('account')).toBe(people)
})

test.each([
  ['few', 5, 5],
  ['many', 120, 200],
])('SAMPLES=%s decides how many people there are', async (samples, least, most) => {
  const withoutStandins = { STANDINS_URL: 'http://127.0.0.1:9' }
  await seed({ ...withoutStandins, SAMPLES: samples }, '--samples')
  const people = await count('account')
  expect([people >= least, people <= most]).toEqual([true, true])
})
