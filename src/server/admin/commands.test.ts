import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig, type Config } from '../config/config.ts'
import { openDatabase } from '../db/open-database.ts'
import { findAccountByLogin } from '#server/features/accounts/account.queries.ts'
import { reserveUsername } from '#server/features/accounts/account.commands.ts'
import { saveMessage } from '#server/features/contact/contact-message.commands.ts'
import { verifyPassword } from '#server/features/auth/password-hash.service.ts'
import { addToOutbox, deadLetter } from '#server/jobs/outbox.repository.ts'
import { failureCode, runCommand } from './commands.ts'
import { sendWelcome } from '#server/features/memberships/membership.emails.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let folder = ''
let config: Config

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-admin-'))
  // No stand-ins are running: the samples have no subscriptions.
  config = readConfig({ DATA_DIR: folder, STANDINS_URL: 'http://127.0.0.1:9', SAMPLES: 'few' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const code = await runCommand(args, config, (line) => void lines.push(line))
  return { code, output: lines.join('\n') }
}

test('help lists every command, and is the default', async () => {
  for (const args of [['help'], []]) {
    const { code, output } = await run(...args)
    expect(code).toBe(0)
    for (const name of ['create-officer', 'outbox', 'stripe sync', 'migrate']) expect(output).toContain(name)
  }
})

test('after a bounce that could not be recorded the mail server tries again', () => {
  expect(failureCode(['newsletter', 'bounce'])).toBe(75)
  expect(failureCode(['newsletter', 'list'])).toBe(1)
  expect(failureCode([])).toBe(1)
})

test('an unknown command points to help', async () => {
  expect(await run('make-coffee')).toEqual({
    code: 2,
    output: 'There is no command "make-coffee". "npm run admin -- help" lists them.',
  })
})

test('migrate creates a usable database', async () => {
  expect(await run('migrate')).toEqual({ code: 0, output: 'The database is up to date.' })
})

describe('create-officer', () => {
  test('creates an officer who can log in with the password shown once', async () => {
    const { code, output } = await run('create-officer', 'chair@example.org', 'the.chair', 'Lakshmi', 'Iyer')
    expect(code).toBe(0)
    const password = /\n {2}(\S{16})\n/.exec(output)?.[1] ?? ''
    const { db, close } = openDatabase(config.databaseUrl, quiet)
    const account = await findAccountByLogin(db, 'the.chair')
    await close()
    expect(account).toMatchObject({ email: 'chair@example.org', deactivatedBy: null })
    expect(await verifyPassword(account?.passwordHash ?? null, password)).toBe(true)
  })

  test('reports invalid input with the messages of the form', async () => {
    const { code, output } = await run('create-officer', 'chair', 'x')
    expect(code).toBe(2)
    expect(output.split('\n')).toEqual([
      'email: Please enter a valid email address',
      'username: Username must be at least 3 characters',
      'firstName: First name is required',
      'lastName: Last name is required',
    ])
  })

  test('refuses a username that is taken', async () => {
    const taken = await run('create-officer', 'LIFE@example.org', 'another', 'A', 'B')
    expect(taken).toEqual({ code: 1, output: 'LIFE@example.org already belongs to an account.' })
    expect((await run('create-officer', 'new@example.org', 'Meera.R', 'A', 'B')).code).toBe(1)
  })

  test('prints the actual username when someone is registering with it', async () => {
    const { db, close } = openDatabase(config.databaseUrl, quiet)
    await reserveUsername(db, {
      username: 'sought',
      email: 'x@example.org',
      until: Date.now() + 60_000,
      now: Date.now(),
    })
    await close()
    expect((await run('create-officer', 'sought@example.org', 'sought', 'A', 'B')).output).toContain(
      'can log in as sought2 with',
    )
  })
})

describe('officers appoint', () => {
  test('makes a member president for a year and queues the email with instructions', async () => {
    const { code, output } = await run('officers', 'appoint', 'Meera.R')
    expect(output).toMatch(
      /^Meera \S+ is president until \d{4}-\d{2}-\d{2}\. An email explains how to open the console\.$/,
    )
    expect(code).toBe(0)
    expect((await run('officers', 'list')).output).toMatch(/^President .* Meera /m)
    const { db, close } = openDatabase(config.databaseUrl, quiet)
    const emails = await db.selectFrom('outbox').select('id').where('kind', '=', 'email.role_given').execute()
    await close()
    expect(emails).toHaveLength(1)
  })

  test('lists the roles, and reports an unknown account', async () => {
    expect(await run('officers', 'appoint', 'meera.r', 'king')).toEqual({
      code: 2,
      output: expect.stringMatching(/^There is no role "king"\. Roles: president, /) as string,
    })
    expect(await run('officers', 'appoint', 'no.such.account')).toEqual({
      code: 1,
      output: 'No open account is named no.such.account.',
    })
  })
})

test('outbox lists dead letters, and requeues them on request', async () => {
  expect((await run('outbox')).output).toBe('Nothing has failed.')
  const { db, close } = openDatabase(config.databaseUrl, quiet)
  await addToOutbox(db, { effect: sendWelcome, payload: { accountId: 'a', membershipId: 'm' } }, 1_900_000_000_000)
  const { id } = await db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'email.welcome')
    .executeTakeFirstOrThrow()
  await deadLetter(db, { id, error: 'mail refused 550', now: 1_900_000_000_000 })
  await close()
  const { output } = await run('outbox')
  expect(output).toContain(`${id}  email.welcome  2030-03-17T17:46:40.000Z  mail refused 550`)
  expect((await run('outbox', 'retry', 'another-id')).output).toContain('0 requeued')
  expect((await run('outbox', 'retry')).output).toContain('1 requeued')
  expect((await run('outbox')).output).toBe('Nothing has failed.')
})

describe('move', () => {
  test('requires a target other than the current database', async () => {
    for (const args of [[], ['--to'], ['--to', 'mysql://x'], ['--to', 'sqlite:'], ['sqlite:x.db']])
      expect(await run('move', ...args)).toEqual({
        code: 2,
        output: 'Usage: move --to postgres://USER:PASSWORD@HOST/NAME | move --to sqlite:FILE',
      })
    expect(await run('move', '--to', config.databaseUrl)).toMatchObject({ code: 1 })
  })

  test('copies the site once and prints the next steps', async () => {
    await run('migrate')
    const to = `sqlite:${join(folder, 'elsewhere.db')}`
    const { code, output } = await run('move', '--to', to)
    expect(output).toMatch(/^account +\d+ rows {2}checksum [0-9a-f]{16}$/m)
    expect(output).toContain(`Keep ${join(folder, 'session-secret')} with the site`)
    expect(code).toBe(0)
    const { db, close } = openDatabase(to, quiet)
    expect(await findAccountByLogin(db, 'life@example.org')).not.toBeNull()
    await close()
    const again = await run('move', '--to', to)
    expect(again.code).toBe(1)
    expect(again.output).toMatch(/^The database to move to is not empty: .*\nNothing was changed\.$/s)
  })
})

test('stripe requires a subcommand', async () => {
  expect(await run('stripe')).toEqual({ code: 2, output: 'Usage: stripe sync | stripe replay [ID]' })
})

test('stripe sync reports an unreachable provider', async () => {
  const { code, output } = await run('stripe', 'sync')
  expect(code).toBe(1)
  expect(output).toContain('The card provider could not be reached')
})

test('a fresh site has unanswered sample messages, one of them nearly late', async () => {
  const { output } = await run('messages', 'list')
  expect(output.split('\n').map((line) => line.split('  ').slice(1, 4))).toEqual([
    ['3 h left', 'Marcus Bell <marcus@example.com>', 'Sponsorship Question'],
    ['42 h left', 'Sofia Anand <sofia@example.com>', 'Shadowing for a high school senior'],
    [],
  ])
})

test('messages are listed with the time left, shown, and marked as answered', async () => {
  const { db, close } = openDatabase(config.databaseUrl, quiet)
  await db.deleteFrom('contactMessage').execute()
  expect((await run('messages')).output).toBe('All messages are answered.')
  const HOUR_MS = 3_600_000
  const args = { name: 'Leela', email: 'leela@example.com', subject: 'A question', message: 'Whom do we ask?' }
  await saveMessage(db, { ...args, id: 'late', receivedAt: Date.now() - 50.5 * HOUR_MS })
  await saveMessage(db, { ...args, id: 'new', receivedAt: Date.now() - 1.5 * HOUR_MS })
  await close()
  expect((await run('messages', 'list')).output.split('\n')).toEqual([
    'late  2 h late  Leela <leela@example.com>  A question',
    'new  47 h left  Leela <leela@example.com>  A question',
    '2 to answer.',
  ])
  expect((await run('messages', 'show', 'new')).output).toContain('Whom do we ask?')
  expect(await run('messages', 'show', 'none')).toEqual({ code: 1, output: 'There is no message none.' })
  expect(await run('messages', 'answered', 'late')).toEqual({ code: 0, output: 'Marked as answered.' })
  expect((await run('messages', 'answered', 'late')).output).toBe('It was already answered.')
  expect((await run('messages')).output).toContain('1 to answer.')
  expect((await run('messages', 'burn')).code).toBe(2)
})

describe('content', () => {
  test('is exported to files and imported again', async () => {
    const files = join(folder, 'exported')
    expect((await run('content', 'export', files)).output).toMatch(/^\d+ files written to /)
    expect(await run('content', 'import', files)).toMatchObject({ code: 0 })
  })

  test('with a mistake reports its place and changes nothing', async () => {
    const files = join(folder, 'mistaken')
    mkdirSync(files)
    writeFileSync(join(files, 'faq.yaml'), '- question: When?\n  answer: Now\n- question: Where?\n')
    const { code, output } = await run('content', 'import', files)
    expect(code).toBe(1)
    expect(output).toContain(`${join(files, 'faq.yaml')} cannot be used:\n  line 3, 1.answer: `)
    expect(output).toContain('Nothing was changed.')
  })

  test('requires a folder', async () => {
    expect(await run('content', 'import')).toEqual({
      code: 2,
      output: 'Usage: content export FOLDER | content import FOLDER',
    })
  })
})
