import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig, type Config } from '#server/config/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { findAccountByLogin } from '#server/features/accounts/account.queries.ts'
import { findPasskeys, insertPasskey } from '#server/features/officers/factors/passkey.repository.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '#server/features/officers/factors/second-factor.repository.ts'
import { runCommand } from '../commands.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let folder = ''
let config: Config

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-officers-'))
  // No stand-ins are running: the samples have no subscriptions.
  config = readConfig({ DATA_DIR: folder, STANDINS_URL: 'http://127.0.0.1:9', SAMPLES: 'few' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const code = await runCommand(args, config, (line) => void lines.push(line))
  return { code, output: lines.join('\n') }
}

describe('officers forget-app', () => {
  test('removes passkeys and recovery codes, notifies their owner, and reports when there are none', async () => {
    await run('officers', 'appoint', 'Meera.R')
    expect((await run('officers', 'list')).output).toMatch(
      /annual@example\.org> {2}no passkey or authenticator app yet/,
    )
    const { db, close } = openDatabase(config.databaseUrl, quiet)
    const account = await findAccountByLogin(db, 'Meera.R')
    const accountId = account?.id ?? ''
    await insertPasskey(db, {
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
    expect((await run('officers', 'list')).output).not.toMatch(/annual@example\.org> {2}no passkey/)
    const { code, output } = await run('officers', 'forget-app', 'Meera.R')
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^Meera \S+ no longer has passkeys, an authenticator app or recovery/),
    ])
    expect(await findPasskeys(db, accountId)).toEqual([])
    expect(await countRecoveryCodes(db, accountId)).toBe(0)
    const emails = await db.selectFrom('outbox').select('payload').where('kind', '=', 'email.factor_changed').execute()
    await close()
    expect(emails.map(({ payload }) => payload).join('')).toContain('forgotten')
    expect((await run('officers', 'forget-app', 'Meera.R')).output).toMatch(
      /has neither passkeys nor an authenticator app/,
    )
  })
})
