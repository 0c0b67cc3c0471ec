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

async function seed(environment: Record<string, string>, ...words: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = []
  const code = await runCommand(['seed', ...words], settings(environment), (line) => void lines.push(line))
  return { code, said: lines.join('\n') }
}

function settings(environment: Record<string, string>): Config {
  return readConfig({ DATA_DIR: folder, ...environment })
}

async function count(table: 'account' | 'page'): Promise<number> {
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

test('a production site gets its words and never the sample people', async () => {
  expect(await seed(REAL, '--samples')).toEqual({
    code: 1,
    said: 'The samples are invented people and payments: never with NODE_ENV=production. Say "seed".',
  })
  expect(await count('page')).toBe(0)
  expect(await seed(REAL)).toEqual({ code: 0, said: 'Filled with pages, levels and settings, without people.' })
  expect([await count('account'), (await count('page')) > 0]).toEqual([0, true])
})

test('elsewhere samples are a choice; what has content is left alone; other words are not guessed', async () => {
  const nobodyAnswers = { STANDINS_URL: 'http://127.0.0.1:9' }
  expect((await seed(nobodyAnswers, '--sample')).code).toBe(2)
  expect((await seed(nobodyAnswers, '--samples')).said).toContain('with sample people')
  const people = await count('account')
  expect(people).toBeGreaterThan(0)
  expect((await seed(nobodyAnswers)).said).toContain('has its content already')
  expect(await count('account')).toBe(people)
})
