import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig, type Config } from '../config/config.ts'
import { openDatabase } from '../db/open-database.ts'
import { findAccountByName, reserveUsername } from '../features/account/account.repository.ts'
import { saveMessage } from '../features/contact/contact-message.repository.ts'
import { isPasswordRight } from '../features/auth/passwords.ts'
import { addToOutbox, buryEffect } from '../platform/outbox.repository.ts'
import { runCommand } from './commands.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let folder = ''
let config: Config

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-admin-'))
  // Nobody listens there: the samples do without subscriptions.
  config = readConfig({ DATA_DIR: folder, STANDINS_URL: 'http://127.0.0.1:9' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...words: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = []
  const code = await runCommand(words, config, (line) => void lines.push(line))
  return { code, said: lines.join('\n') }
}

test('help lists every command, and is what nothing means', async () => {
  for (const words of [['help'], []]) {
    const { code, said } = await run(...words)
    expect(code).toBe(0)
    for (const name of ['create-officer', 'outbox', 'stripe sync', 'migrate']) expect(said).toContain(name)
  }
})

test('an unknown command says where the known ones are', async () => {
  expect(await run('make-coffee')).toEqual({
    code: 2,
    said: 'There is no command "make-coffee". "npm run admin -- help" lists them.',
  })
})

test('migrate makes a database that can be used', async () => {
  expect(await run('migrate')).toEqual({ code: 0, said: 'The database is up to date.' })
})

describe('create-officer', () => {
  test('makes an officer who can log in with the password shown once', async () => {
    const { code, said } = await run('create-officer', 'chair@example.org', 'the.chair', 'Lakshmi', 'Iyer')
    expect(code).toBe(0)
    const password = /\n {2}(\S{16})\n/.exec(said)?.[1] ?? ''
    const { db, close } = openDatabase(config.databaseUrl, quiet)
    const account = await findAccountByName(db, 'the.chair')
    await close()
    expect(account).toMatchObject({ email: 'chair@example.org', deactivatedBy: null })
    expect(await isPasswordRight(account?.passwordHash ?? null, password)).toBe(true)
  })

  test('says what is wrong in the sentences of the form', async () => {
    const { code, said } = await run('create-officer', 'chair', 'x')
    expect(code).toBe(2)
    expect(said.split('\n')).toEqual([
      'email: Please enter a valid email address',
      'username: Username must be at least 3 characters',
      'firstName: First name is required',
      'lastName: Last name is required',
    ])
  })

  test('takes nobody’s name away', async () => {
    const taken = await run('create-officer', 'LIFE@example.org', 'another', 'A', 'B')
    expect(taken).toEqual({ code: 1, said: 'LIFE@example.org belongs to an account already.' })
    expect((await run('create-officer', 'new@example.org', 'Meera.R', 'A', 'B')).code).toBe(1)
  })

  test('names the username it really got when somebody is registering with it', async () => {
    const { db, close } = openDatabase(config.databaseUrl, quiet)
    await reserveUsername(db, {
      username: 'sought',
      email: 'x@example.org',
      until: Date.now() + 60_000,
      now: Date.now(),
    })
    await close()
    expect((await run('create-officer', 'sought@example.org', 'sought', 'A', 'B')).said).toContain(
      'can log in as sought2 with',
    )
  })
})

describe('officers appoint', () => {
  test('makes a member president for a year, with the letter that says how to begin', async () => {
    const { code, said } = await run('officers', 'appoint', 'Meera.R')
    expect(said).toMatch(/^Meera \S+ is president until \d{4}-\d{2}-\d{2}; a letter says how to open the console\.$/)
    expect(code).toBe(0)
    expect((await run('officers', 'list')).said).toMatch(/^President .* Meera /m)
    const { db, close } = openDatabase(config.databaseUrl, quiet)
    const letters = await db.selectFrom('outbox').select('id').where('kind', '=', 'letter.role_given').execute()
    await close()
    expect(letters).toHaveLength(1)
  })

  test('says which roles there are, and that nobody is called so', async () => {
    expect(await run('officers', 'appoint', 'meera.r', 'king')).toEqual({
      code: 2,
      said: expect.stringMatching(/^There is no role "king"\. There are: president, /) as string,
    })
    expect(await run('officers', 'appoint', 'nobody.at.all')).toEqual({
      code: 1,
      said: 'Nobody with an open account is called nobody.at.all.',
    })
  })
})

test('outbox lists what was given up, and puts it back on demand', async () => {
  expect((await run('outbox')).said).toBe('Nothing was given up.')
  const { db, close } = openDatabase(config.databaseUrl, quiet)
  await addToOutbox(db, { kind: 'letter.welcome', payload: {} }, 1_900_000_000_000)
  const { id } = await db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'letter.welcome')
    .executeTakeFirstOrThrow()
  await buryEffect(db, { id, error: 'mail refused 550', now: 1_900_000_000_000 })
  await close()
  const { said } = await run('outbox')
  expect(said).toContain(`${id}  letter.welcome  2030-03-17T17:46:40.000Z  mail refused 550`)
  expect((await run('outbox', 'retry', 'another-id')).said).toContain('0 put back')
  expect((await run('outbox', 'retry')).said).toContain('1 put back')
  expect((await run('outbox')).said).toBe('Nothing was given up.')
})

describe('move', () => {
  test('wants to know where to, and that it is elsewhere', async () => {
    for (const words of [[], ['--to'], ['--to', 'mysql://x'], ['--to', 'sqlite:'], ['sqlite:x.db']])
      expect(await run('move', ...words)).toEqual({
        code: 2,
        said: 'Say "move --to postgres://USER:PASSWORD@HOST/NAME" or "move --to sqlite:FILE".',
      })
    expect(await run('move', '--to', config.databaseUrl)).toMatchObject({ code: 1 })
  })

  test('copies the site, says what comes next, and does so once', async () => {
    await run('migrate')
    const to = `sqlite:${join(folder, 'elsewhere.db')}`
    const { code, said } = await run('move', '--to', to)
    expect(said).toMatch(/^account +\d+ rows {2}checksum [0-9a-f]{16}$/m)
    expect(said).toContain(`Keep ${join(folder, 'session-secret')} with the site`)
    expect(code).toBe(0)
    const { db, close } = openDatabase(to, quiet)
    expect(await findAccountByName(db, 'life@example.org')).not.toBeNull()
    await close()
    const again = await run('move', '--to', to)
    expect(again.code).toBe(1)
    expect(again.said).toMatch(/^The database to move to is not empty: .*\nNothing was changed\.$/s)
  })
})

test('stripe wants to know what', async () => {
  expect(await run('stripe')).toEqual({ code: 2, said: 'Say "stripe sync" or "stripe replay [ID]".' })
})

test('stripe sync without a provider that answers says so', async () => {
  const { code, said } = await run('stripe', 'sync')
  expect(code).toBe(1)
  expect(said).toContain('The card provider could not be asked')
})

test('a fresh site has sample messages, one of them nearly late, and none that was answered', async () => {
  const { said } = await run('messages', 'list')
  expect(said.split('\n').map((line) => line.split('  ').slice(1, 4))).toEqual([
    ['3 h left', 'Marcus Bell <marcus@example.com>', 'Sponsorship Question'],
    ['42 h left', 'Sofia Anand <sofia@example.com>', 'Shadowing for a high school senior'],
    [],
  ])
})

test('messages are listed with the time left, shown, and taken off the list', async () => {
  const { db, close } = openDatabase(config.databaseUrl, quiet)
  await db.deleteFrom('contact_message').execute()
  expect((await run('messages')).said).toBe('Every message is answered.')
  const HOUR_MS = 3_600_000
  const words = { name: 'Leela', email: 'leela@example.com', subject: 'A question', message: 'Whom do we ask?' }
  await saveMessage(db, { ...words, id: 'late', receivedAt: Date.now() - 50.5 * HOUR_MS })
  await saveMessage(db, { ...words, id: 'new', receivedAt: Date.now() - 1.5 * HOUR_MS })
  await close()
  expect((await run('messages', 'list')).said.split('\n')).toEqual([
    'late  2 h late  Leela <leela@example.com>  A question',
    'new  47 h left  Leela <leela@example.com>  A question',
    '2 to answer.',
  ])
  expect((await run('messages', 'show', 'new')).said).toContain('Whom do we ask?')
  expect(await run('messages', 'show', 'none')).toEqual({ code: 1, said: 'There is no message none.' })
  expect(await run('messages', 'answered', 'late')).toEqual({ code: 0, said: 'Off the list.' })
  expect((await run('messages', 'answered', 'late')).said).toBe('It was answered before.')
  expect((await run('messages')).said).toContain('1 to answer.')
  expect((await run('messages', 'burn')).code).toBe(2)
})

describe('content', () => {
  test('goes out as files and comes back in', async () => {
    const files = join(folder, 'exported')
    expect((await run('content', 'export', files)).said).toMatch(/^\d+ files written to /)
    expect(await run('content', 'import', files)).toMatchObject({ code: 0 })
  })

  test('with a mistake changes nothing and says where it is', async () => {
    const files = join(folder, 'mistaken')
    mkdirSync(files)
    writeFileSync(join(files, 'faq.yaml'), '- question: When?\n  answer: Now\n- question: Where?\n')
    const { code, said } = await run('content', 'import', files)
    expect(code).toBe(1)
    expect(said).toContain(`${join(files, 'faq.yaml')} cannot be used:\n  line 3, 1.answer: `)
    expect(said).toContain('Nothing was changed.')
  })

  test('wants a folder', async () => {
    expect(await run('content', 'import')).toEqual({
      code: 2,
      said: 'Say "content export FOLDER" or "content import FOLDER".',
    })
  })
})
