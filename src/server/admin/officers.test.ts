import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig, type Config } from '../config/config.ts'
import { openDatabase } from '../db/open-database.ts'
import { findAccountByName } from '../features/account/account.repository.ts'
import { findPasskeys, keepPasskey } from '../features/console/passkey.repository.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../features/console/second-factor.repository.ts'
import { runCommand } from './commands.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let folder = ''
let config: Config

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-officers-'))
  // Nobody listens there: the samples do without subscriptions.
  config = readConfig({ DATA_DIR: folder, STANDINS_URL: 'http://127.0.0.1:9' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...words: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = []
  const code = await runCommand(words, config, (line) => void lines.push(line))
  return { code, said: lines.join('\n') }
}

describe('officers forget-app', () => {
  test('takes passkeys and recovery codes away, tells their owner, and says so when there is nothing', async () => {
    await run('officers', 'appoint', 'Meera.R')
    expect((await run('officers', 'list')).said).toMatch(/annual@example\.org> {2}no passkey or authenticator app yet/)
    const { db, close } = openDatabase(config.databaseUrl, quiet)
    const account = await findAccountByName(db, 'Meera.R')
    const accountId = account?.id ?? ''
    await keepPasskey(db, {
      id: 'p1',
      accountId,
      credentialId: 'c1',
      publicKey: 'k1',
      counter: 0,
      transports: [],
      name: 'Phone',
      createdAt: 1,
    })
    await replaceRecoveryCodes(db, { accountId, hashes: ['h1'], now: 1 })
    expect((await run('officers', 'list')).said).not.toMatch(/annual@example\.org> {2}no passkey/)
    const { code, said } = await run('officers', 'forget-app', 'Meera.R')
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/^Meera \S+ has no passkeys, authenticator app and recovery/),
    ])
    expect(await findPasskeys(db, accountId)).toEqual([])
    expect(await countRecoveryCodes(db, accountId)).toBe(0)
    const letters = await db
      .selectFrom('outbox')
      .select('payload')
      .where('kind', '=', 'letter.factor_changed')
      .execute()
    await close()
    expect(letters.map(({ payload }) => payload).join('')).toContain('forgotten')
    expect((await run('officers', 'forget-app', 'Meera.R')).said).toMatch(/has neither passkeys nor an app/)
  })
})
