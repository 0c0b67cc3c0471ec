import { storeRecord } from '#tests/support/content/stored-records.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dumpDatabase, openTestDatabase, testEngine } from '#tests/support/test-database.ts'
import { NOW } from '#tests/support/use-test-database.ts'
import { countTakenSeats } from '#server/features/rsvps/rsvp.repository.ts'
import { listDescriptions } from '#server/features/media/picture-description.queries.ts'
import type { Database } from './database.ts'
import { migrate, migrateWithin } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open-database.ts'

const names = Object.keys(migrations)
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let database: Database

beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())

async function applied(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(database.db)
  return rows.map(({ name }) => name)
}

test('an empty database is migrated, in order', async () => {
  expect(await migrate(database, NOW)).toEqual([...names].sort())
  expect(await applied()).toEqual([...names].sort())
})

test('migrating again changes nothing', async () => {
  await migrate(database, NOW)
  const before = await dumpDatabase(database)
  expect(await migrate(database, NOW + 1)).toEqual([])
  expect(await dumpDatabase(database)).toBe(before)
})

test('five instances that start together migrate once', async () => {
  const done = await Promise.all(Array.from({ length: 5 }, () => migrate(database, NOW)))
  expect(done.filter((list) => list.length > 0)).toEqual([names])
})

test('the database of a newer release is refused, with the fix, and left unchanged', async () => {
  await migrate(database, NOW)
  await sql`insert into migration (name, applied_at) values ('9999-of-a-newer-release', 1)`.execute(database.db)
  const before = await dumpDatabase(database)
  await expect(migrate(database, NOW)).rejects.toThrow(
    'This database was migrated by a newer release (9999-of-a-newer-release). Start that release, or restore a backup made before it.',
  )
  expect(await dumpDatabase(database)).toBe(before)
})

test('an interrupted migration leaves the database unchanged, and the next one finishes', async () => {
  await sql`create table checkout (in_the_way text)`.execute(database.db)
  await expect(migrate(database, NOW)).rejects.toThrow()
  await expect(applied()).rejects.toThrow()
  await sql`drop table checkout`.execute(database.db)
  expect(await migrate(database, NOW)).toEqual(names)
})

test('credentials approved by an older release are rechecked on their anniversary; waiting ones are left alone', async () => {
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0015-events'))
  const year = 365 * 86_400_000
  const given = (id: string, status: string, decided: number | null) =>
    sql`insert into credential (id, account_id, npi, licence_state, given_at, status, decided_at)
        values (${id}, ${id}, '1234567893', 'GA', 1, ${status}, ${decided})`.execute(db)
  await given('young', 'approved', NOW - 5)
  await given('old', 'approved', NOW - 4 * year)
  await given('waits', 'waiting', null)
  await migrate(database, NOW)
  const rows = await db.selectFrom('credential').select(['id', 'kind', 'countedFrom', 'endsOn']).orderBy('id').execute()
  expect(rows).toMatchObject([
    { id: 'old', kind: 'licence', endsOn: null },
    { id: 'waits', kind: 'licence', countedFrom: null },
    { id: 'young', kind: 'licence', countedFrom: NOW - 5 },
  ])
  expect(rows[0]?.countedFrom).toBeGreaterThan(NOW - year - 2 * 86_400_000)
  expect(rows[0]?.countedFrom).toBeLessThanOrEqual(NOW)
})

test('subscribers imported by an older release no longer count as confirmed; confirmed ones still do', async () => {
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0026-sponsorship-returns'))
  const insert = (id: string, source: string, asked: number, confirmed: number | null, left: number | null = null) =>
    sql`insert into subscriber (id, email, email_key, state, source, asked_at, confirmed_at, left_at, hard_bounces, soft_bounces)
        values (${id}, ${id}, ${id}, 'subscribed', ${source}, ${asked}, ${confirmed}, ${left}, 0, 0)`.execute(db)
  await insert('imported', 'import', 100, 100)
  await insert('imported, asked again', 'import', 200, 100)
  await insert('imported, left, came back', 'import', 200, 250, 150)
  await insert('imported, left, came back, asked again', 'import', 300, 250, 150)
  await insert('asked here', 'homepage', 100, 100)
  await migrate(database, NOW)
  const rows = await db.selectFrom('subscriber').select(['id', 'importedAt', 'confirmedAt']).orderBy('id').execute()
  const found = rows.map((row) => [row.id, row.importedAt, row.confirmedAt])
  expect(found.sort(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
    ['asked here', null, 100],
    ['imported', 100, null],
    ['imported, asked again', 100, null],
    ['imported, left, came back', null, 250],
    ['imported, left, came back, asked again', null, 250],
  ])
})

test('effects queued by an older release run by priority, and its links keep their expiry', async () => {
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0026-sponsorship-returns'))
  const kinds = ['letter.invitation', 'letter.membership_notice', 'letter.receipt', 'stripe.payment', 'letter.alarm']
  for (const kind of kinds)
    await sql`insert into outbox (id, kind, payload, created_at, due_at, attempts)
        values (${kind}, ${kind}, '{}', 1, 1, 0)`.execute(db)
  await sql`insert into one_time_token (id, purpose, token_hash, subject_id, created_at, expires_at)
      values ('t', 'password_reset', 'h', 's', ${NOW}, ${NOW + 3_600_000})`.execute(db)
  await migrate(database, NOW)
  const effects = await db
    .selectFrom('outbox')
    .select(['id', 'lane', 'priority', 'leasedBy'])
    .orderBy('priority')
    .orderBy('id')
    .execute()
  expect(effects).toEqual([
    { id: 'letter.alarm', lane: 'emails', priority: 0, leasedBy: null },
    { id: 'letter.receipt', lane: 'emails', priority: 1, leasedBy: null },
    { id: 'stripe.payment', lane: 'rest', priority: 1, leasedBy: null },
    { id: 'letter.membership_notice', lane: 'emails', priority: 2, leasedBy: null },
    { id: 'letter.invitation', lane: 'emails', priority: 3, leasedBy: null },
  ])
  const token = await db.selectFrom('oneTimeToken').selectAll().executeTakeFirstOrThrow()
  expect(token).toMatchObject({ expiresAt: NOW + 3_600_000, lastsMs: 3_600_000, sentAt: NOW })
})

test('pending changes of address and deletions belong to the owners of the accounts', async () => {
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0026-sponsorship-returns'))
  await sql`insert into account (id, username, email, email_key, password_hash, first_name, last_name, token_version, is_officer, created_at, updated_at)
            values ('a', 'a', 'a@b.example', 'a@b.example', 'x', 'A', 'B', 1, 0, 1, 1)`.execute(db)
  await sql`insert into email_change (account_id, email, asked_at) values ('a', 'c@d.example', 1)`.execute(db)
  await sql`insert into account_deletion (id, account_id, asked_at) values ('d', 'a', 1)`.execute(db)
  await migrate(database, NOW)
  expect(await db.selectFrom('emailChange').selectAll().execute()).toEqual([
    { accountId: 'a', email: 'c@d.example', askedAt: 1, askedBy: null, approvedBy: null, reason: null },
  ])
  expect(await db.selectFrom('accountDeletion').selectAll().execute()).toEqual([
    { id: 'd', accountId: 'a', askedAt: 1, ending: 'self', askedBy: null, approvedBy: null, reason: null },
  ])
  for (const table of ['approval', 'accountEnd'] as const) {
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  }
})

test('credits given by an older release are recorded against the payments they came from, the newest term first', async () => {
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0026-sponsorship-returns'))
  const day = 86_400_000
  await sql`insert into account (id, username, email, email_key, password_hash, first_name, last_name, token_version,
    is_officer, created_at, updated_at) values ('a', 'a', 'a@example.org', 'a@example.org', 'x', 'A', 'B', 1, 0, 1, 1)`.execute(
    db,
  )
  const paid = (id: string, amount: number, ends: number | null, checkout: string | null = null) =>
    sql`insert into payment (id, account_id, checkout_id, reference, level_key, amount, currency, receipt_number, paid_at, recorded_at,
      purpose, period_ends_at, amount_refunded) values (${id}, 'a', ${checkout}, ${id}, 'annual_member', ${amount}, 'usd', ${id}, ${NOW - 9 * day},
      ${checkout ? NOW : NOW - 9 * day}, 'start', ${ends}, ${id === 'part' ? 500 : 0})`.execute(db)
  await paid('earlier', 10_000, NOW - 100 * day)
  await paid('part', 2_500, NOW + 300 * day)
  await paid('whole', 10_000, NOW + 300 * day)
  await paid('life', 91_000, null, 'paid-order')
  const order = (id: string, state: string, credit: number, key: string | null) =>
    sql`insert into checkout (id, person_id, level_key, amount, credit, currency, mode, state, open_key, attempt, nonce_hash, created_at, expires_at,
      completed_at, checked_at) values (${id}, 'a', 'life_member', 1, ${credit}, 'usd', 'payment', ${state}, ${key}, 0, 'x', ${NOW - day}, ${NOW},
      ${state === 'completed' ? NOW : null}, 1)`.execute(db)
  await order('paid-order', 'completed', 9_000, null)
  await order('open', 'open', 3_000, 'a')
  await order('expired', 'expired', 9_000, null)
  await migrate(database, NOW)
  const credits = await db
    .selectFrom('paymentCredit')
    .select(['paymentId', 'checkoutId', 'amount', 'takenAt'])
    .orderBy('checkoutId')
    .orderBy('paymentId')
    .execute()
  const of = (checkout: string) => credits.filter((row) => row.checkoutId === checkout)
  expect(of('paid-order').reduce((sum, { amount }) => sum + amount, 0)).toBe(9_000)
  expect(of('paid-order').every(({ takenAt }) => takenAt === NOW)).toBe(true)
  expect(of('open').reduce((sum, { amount }) => sum + amount, 0)).toBe(3_000)
  expect(of('open').every(({ takenAt }) => takenAt === null)).toBe(true)
  expect(new Set(credits.map((row) => row.paymentId))).toEqual(new Set(['part', 'whole']))
  expect(of('expired')).toEqual([])
  const [payment] = await db.selectFrom('payment').select(['refundAsked', 'voidedAt', 'replacesId']).execute()
  expect(payment).toEqual({ refundAsked: 0, voidedAt: null, replacesId: null })
})

test('RSVPs from before seats were held are confirmed, and hold nothing twice', async () => {
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0026-sponsorship-returns'))
  const statuses = ['coming', 'waiting', 'paying', 'cancelled']
  for (const status of statuses)
    await sql`insert into rsvp (id, event_id, name, guests, meals, place, asked_at, changed_at, is_walk_in, arrived)
      values (${status}, 'gala', 'Leela', 1, '[]', ${status}, 1, 1, 0, 0)`.execute(db)
  await migrate(database, NOW)
  const rows = await db.selectFrom('rsvp').select(['id', 'status']).orderBy('id').execute()
  expect(rows).toEqual(statuses.toSorted().map((status) => ({ id: status, status })))
  expect(await countTakenSeats(db, 'gala', NOW)).toBe(4)
})

test('descriptions of pictures are kept, and portraits of the forum stay with the current holders of the offices (0030)', async () => {
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0026-sponsorship-returns'))
  await sql`insert into forum_member (id, role, name, school, year, icon_name, bio, position)
    values ('president', 'President', 'Aditi', 'S', 'Y', 'lamp', '["B"]', 0)`.execute(db)
  await sql`insert into picture_description (bucket, folder, filename, alt)
    values ('home', 'gallery', 'lamp.jpg', 'A lamp'), ('exec', 'team', 'president.jpg', 'A smile')`.execute(db)
  await migrate(database, NOW)
  const described = await listDescriptions(db)
  expect(described.get('home/gallery/lamp.jpg')).toMatchObject({ alt: 'A lamp', caption: null, person: null })
  const person = { list: 'forum', name: 'Aditi' }
  expect(described.get('exec/team/president.jpg')).toMatchObject({ alt: 'A smile', caption: null, person })
  expect(described.get('exec/team/president.svg')).toMatchObject({ alt: '', caption: null, person })
})

describe.runIf(testEngine === 'sqlite')('the SQLite file', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'association-db-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('is created with its folder, keeps every commit, and enforces foreign keys', async () => {
    const file = openDatabase(`sqlite:${folder}/deep/association.db`, quiet)
    await migrate(file, NOW)
    const pragma = async (name: string) =>
      Object.values((await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(file.db)).rows[0] ?? {})[0]
    expect(await pragma('journal_mode')).toBe('wal')
    expect(await pragma('synchronous')).toBe(2)
    expect(await pragma('foreign_keys')).toBe(1)
    expect(await pragma('busy_timeout')).toBeGreaterThanOrEqual(1_000)
    await expect(
      sql`insert into login_name (name_key, account_id, reserved_until) values ('x', 'no-such-account', 0)`.execute(
        file.db,
      ),
    ).rejects.toThrow(/FOREIGN KEY/)
    await file.close()
  })

  test('is read by a second process while the first writes', async () => {
    const first = openDatabase(`sqlite:${folder}/a.db`, quiet)
    await migrate(first, NOW)
    const second = openDatabase(`sqlite:${folder}/a.db`, quiet)
    expect(await migrate(second, NOW)).toEqual([])
    await storeRecord(first.db, { kind: 'x' }, 1)
    expect(await second.db.selectFrom('contentRecord').select('kind').execute()).toEqual([{ kind: 'x' }])
    await Promise.all([first.close(), second.close()])
  })

  test('fails immediately when it cannot be opened', () => {
    expect(() => openDatabase('sqlite:/dev/null/association.db', quiet)).toThrow()
  })
})

describe.runIf(testEngine !== 'sqlite')('PostgreSQL', () => {
  test('counts and timestamps are returned as numbers', async () => {
    await migrate(database, NOW)
    await database.db
      .insertInto('rateLimit')
      .values({ key: 'x', count: 1, windowEndsAt: 9_007_199_254_740_991 })
      .execute()
    const row = await database.db.selectFrom('rateLimit').selectAll().executeTakeFirstOrThrow()
    expect(row).toEqual({ key: 'x', count: 1, windowEndsAt: 9_007_199_254_740_991 })
  })

  test('foreign keys are enforced', async () => {
    await migrate(database, NOW)
    await expect(
      sql`insert into login_name (name_key, account_id, reserved_until) values ('x', 'no-such-account', 0)`.execute(
        database.db,
      ),
    ).rejects.toThrow(/foreign key/)
  })
})

test('officer actions: merges and revisions of the previous release stay unchanged, without the new values', async () => {
  const { engine } = database
  await database.db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0026-sponsorship-returns'))
  await sql`insert into account_merge (id, kept_id, merged_id, officer_id, reason, merged_at, changes)
    values ('g1', 'a', 'b', 'c', 'Twice', 1, '[]')`.execute(database.db)
  await sql`insert into content_revision (id, kind, record_id, number, action, value, saved_by, saved_at, publish_at, is_newest)
    values ('r1', 'news', 'one', 1, 'scheduled', '{}', 'a', 1, 2, 1)`.execute(database.db)
  await migrate(database, NOW)
  const merge = await database.db.selectFrom('accountMerge').selectAll().executeTakeFirstOrThrow()
  const revision = await database.db.selectFrom('contentRevision').selectAll().executeTakeFirstOrThrow()
  expect([merge.reason, merge.keptLogin, revision.publishAt, revision.held]).toEqual(['Twice', null, 2, null])
  expect(await database.db.selectFrom('departedLogin').selectAll().execute()).toEqual([])
})
