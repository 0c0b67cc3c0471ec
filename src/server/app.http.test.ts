import { createServer, type Server } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp } from '#tests/support/test-app.ts'
import { testEngine } from '#tests/support/test-database.ts'
import { openDatabase } from './db/open-database.ts'
import { testEffect } from '#tests/support/test-effect.ts'
import { addToOutbox } from './jobs/outbox.repository.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let folder = ''
let storage: Server
let isRequested = false
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'association-stop-'))
  isRequested = false
  // An object storage that never responds.
  storage = createServer(() => (isRequested = true))
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  storage.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a shutdown does not wait for a long job before it records emails and newsletter copies', async () => {
  // A backup reads the SQLite file directly.
  const file = `sqlite:${join(folder, 'association.db')}`
  const isSqlite = testEngine === 'sqlite'
  await using app = await createTestApp({
    ...(isSqlite && { database: openDatabase(file, quiet) }),
    environment: {
      ...(isSqlite && { DATABASE_URL: file }),
      BACKUP_DIR: join(folder, 'backups'),
      S3_ENDPOINT: `http://127.0.0.1:${(storage.address() as AddressInfo).port}`,
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
      S3_BUCKET_HOME: 'home',
      S3_BUCKET_CLINIC: 'clinic',
      S3_BUCKET_EXEC: 'exec',
    },
  })
  const backup = app.app.jobs.runDue()
  await expect.poll(() => isRequested, { timeout: 10_000 }).toBe(true)
  const closing = app.app.close()
  try {
    await app.app.http.close()
    // After close no new work starts: the effect runs after the next start.
    await addToOutbox(app.database.db, { effect: testEffect('of.a.test'), payload: {} }, app.now())
    await app.app.outbox.drain()
    const [waiting] = await app.database.db.selectFrom('outbox').selectAll().where('kind', '=', 'of.a.test').execute()
    expect(waiting).toMatchObject({ attempts: 0, deadAt: null })
  } finally {
    storage.closeAllConnections()
    storage.close()
  }
  await Promise.all([backup, closing])
})
