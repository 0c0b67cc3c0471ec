import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig, type Config } from '../config/config.ts'
import { openDatabase } from '../db/open-database.ts'
import { findAccountByName, reserveUsername } from '../features/account/account.repository.ts'
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
    expect(account).toMatchObject({ email: 'chair@example.org', isOfficer: true, deactivatedBy: null })
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

test('outbox lists what was given up, and puts it back on demand', async () => {
  expect((await run('outbox')).said).toBe('Nothing was given up.')
  const { db, close } = openDatabase(config.databaseUrl, quiet)
  await addToOutbox(db, { kind: 'letter.welcome', payload: {} }, 1_900_000_000_000)
  const { id } = await db.selectFrom('outbox').select('id').executeTakeFirstOrThrow()
  await buryEffect(db, { id, error: 'mail refused 550', now: 1_900_000_000_000 })
  await close()
  const { said } = await run('outbox')
  expect(said).toContain(`${id}  letter.welcome  2030-03-17T17:46:40.000Z  mail refused 550`)
  expect((await run('outbox', 'retry', 'another-id')).said).toContain('0 put back')
  expect((await run('outbox', 'retry')).said).toContain('1 put back')
  expect((await run('outbox')).said).toBe('Nothing was given up.')
})

test('stripe wants to know what', async () => {
  expect(await run('stripe')).toEqual({ code: 2, said: 'Say "stripe sync".' })
})

test('stripe sync with nothing to compare says it is done', async () => {
  expect(await run('stripe', 'sync')).toMatchObject({ code: 0 })
})
