import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testEngine } from '#tests/support/test-database.ts'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { checkIntegrity } from './integrity.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** As described in docs/running.md: an ordinary role owns the database, and the superuser installs the extension. */
describe.runIf(testEngine === 'postgres')('on a server', () => {
  const name = `test_integrity_${randomBytes(6).toString('hex')}`
  const server = process.env['TEST_DATABASE_URL'] ?? ''
  let own: URL
  let database: Database
  let isThere = false

  async function asSuperuser<T extends object>(url: string, ...statements: string[]): Promise<T[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      const answers: T[][] = []
      for (const statement of statements) answers.push((await client.query<T>(statement)).rows)
      return answers.at(-1) ?? []
    } finally {
      await client.end()
    }
  }

  beforeAll(async () => {
    own = new URL(server)
    own.pathname = `/${name}`
    const found = await asSuperuser(server, `select 1 from pg_available_extensions where name = 'amcheck'`)
    isThere = found.length > 0
    await asSuperuser(server, `create role ${name}`, `create database ${name} owner ${name}`)
    const asOwner = new URL(own)
    asOwner.searchParams.set('options', `-c role=${name}`)
    database = openDatabase(asOwner.href, quiet, { statementTimeoutMs: null })
    await sql`create table visit (id integer primary key, place text)`.execute(database.db)
    await sql`insert into visit select i, 'place ' || i from generate_series(1, 300) i`.execute(database.db)
  })
  afterAll(async () => {
    await database.close()
    await asSuperuser(server, `drop database ${name}`, `drop role ${name}`)
  })

  test('a check without permission is not damage: the result names what the superuser must grant', async () => {
    const before = await checkIntegrity(database)
    const grant = `grant execute on function bt_index_check(regclass,boolean) to ${name}`
    expect(before).toMatchObject({ damage: [], checks: ['constraints', 'indexes'] })
    expect(before.skipped).toEqual([
      `amcheck is not installed: as superuser of this database, "create extension amcheck; ${grant}" enables comparing every index with its table`,
    ])
  })

  test('checks run once the superuser granted access', async (context) => {
    context.skip(!isThere, 'This server came without the contributed module amcheck')
    const grant = `grant execute on function bt_index_check(regclass,boolean) to ${name}`
    await asSuperuser(own.href, 'create extension amcheck')
    const refused = await checkIntegrity(database)
    expect(refused).toMatchObject({ damage: [], checks: ['constraints', 'indexes'] })
    expect(refused.skipped).toEqual([
      `amcheck is not permitted: as superuser of this database, "${grant}" enables comparing every index with its table`,
    ])

    await asSuperuser(own.href, grant)
    expect(await checkIntegrity(database)).toEqual({
      damage: [],
      checks: ['constraints', 'indexes', 'amcheck'],
      skipped: [],
    })

    // An index that disagrees with its table, made by a function that is not immutable.
    await sql`create function first_of(text) returns text language sql immutable return left($1, 20)`.execute(
      database.db,
    )
    await sql`create index visit_place on visit (first_of(place))`.execute(database.db)
    await sql`create or replace function first_of(text) returns text language sql immutable return 'other ' || $1`.execute(
      database.db,
    )
    const damaged = await checkIntegrity(database)
    expect(damaged.skipped).toEqual([])
    expect(damaged.damage).toEqual([expect.stringMatching(/^visit_place: .*lacks matching index tuple/)])
    await sql`drop index visit_place`.execute(database.db)

    // The server's own statement timeout.
    await sql`create function slowly(text) returns text language plpgsql immutable as
      'begin perform pg_sleep(0.002); return $1; end'`.execute(database.db)
    await sql`create index visit_slow on visit (slowly(place))`.execute(database.db)
    await sql`set statement_timeout = 300`.execute(database.db)
    const slow = await checkIntegrity(database)
    expect(slow.damage).toEqual([])
    expect(slow.skipped).toEqual(['visit_slow: canceling statement due to statement timeout'])
  })

  test('a command has no statement timeout, and a request has one', async () => {
    const limitOf = async ({ db }: Database) =>
      (await sql<{ statementTimeout: string }>`show statement_timeout`.execute(db)).rows[0]?.statementTimeout
    const patient = openDatabase(server, quiet, { statementTimeoutMs: null })
    const usual = openDatabase(server, quiet)
    try {
      expect([await limitOf(patient), await limitOf(usual)]).toEqual(['0', '10s'])
    } finally {
      await Promise.all([patient.close(), usual.close()])
    }
  })
})
