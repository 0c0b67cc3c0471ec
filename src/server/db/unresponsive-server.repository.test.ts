import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testEngine } from '#tests/support/test-database.ts'
import { isDatabaseUnavailable } from './failures.ts'
import { openDatabase } from './open-database.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

// A lost host sends nothing, not even a reset; the next connection reaches its replacement.
describe.runIf(testEngine === 'postgres')('an unresponsive server', () => {
  const server = new URL(process.env['TEST_DATABASE_URL'] || 'postgres://none:5432')
  const lines: { client: Socket; upstream: Socket }[] = []
  const between = createServer((client) => {
    const upstream = connect(Number(server.port), server.hostname)
    lines.push({ client, upstream })
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('close', () => upstream.destroy())
  })
  const loseHost = () => {
    for (const { client, upstream } of lines.splice(0)) {
      upstream.unpipe(client)
      upstream.pause()
      client.unpipe(upstream)
    }
  }

  beforeAll(() => new Promise<void>((resolve) => void between.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void between.close())

  function open() {
    const url = new URL(server)
    url.port = String((between.address() as AddressInfo).port)
    url.hostname = '127.0.0.1'
    // Long enough for a busy machine to answer a query.
    return openDatabase(url.href, quiet, { statementTimeoutMs: 250 })
  }

  test.each([
    ['a statement', (database: ReturnType<typeof open>) => sql`select 1`.execute(database.db)],
    [
      'a transaction',
      (database: ReturnType<typeof open>) => database.db.transaction().execute((tx) => sql`select 1`.execute(tx)),
    ],
  ])('%s: its connection is dropped, so that the next query gets another', async (_, query) => {
    const database = open()
    await query(database)
    loseHost()
    const failure = await query(database).then(
      () => null,
      (error: unknown) => error,
    )
    expect(isDatabaseUnavailable(failure)).toBe(true)
    await query(database)
    expect(database.connections?.()).toMatchObject({ open: 1 })
    await database.close()
  })

  test('also when it stops responding within a transaction', async () => {
    const database = open()
    const failure = await database.db
      .transaction()
      .execute(async (tx) => {
        loseHost()
        await sql`select 1`.execute(tx)
      })
      .then(
        () => null,
        (error: unknown) => error,
      )
    expect(isDatabaseUnavailable(failure)).toBe(true)
    await sql`select 1`.execute(database.db)
    await database.close()
  })

  test('also when it ends the connection between two statements of a transaction', async () => {
    const [database, other] = [open(), open()]
    const failure = await database.db
      .transaction()
      .execute(async (tx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
        await sql`select pg_terminate_backend(${rows[0]?.pid}, 1000)`.execute(other.db)
        await sql`select 1`.execute(tx)
      })
      .then(
        () => null,
        (error: unknown) => error,
      )
    expect(isDatabaseUnavailable(failure)).toBe(true)
    await sql`select 1`.execute(database.db)
    await Promise.all([database.close(), other.close()])
  })
})
