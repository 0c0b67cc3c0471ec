import { sql, type TransactionBuilder } from 'kysely'
import { copyTables, type CopiedTable } from './copy-tables.ts'
import type { Database, Tx } from './database.ts'
import { compareRelease, migrateWithin, tryLock } from './migrate.ts'
import type { Schema } from './schema/schema.ts'
import { gatherStatistics } from './table-statistics.ts'
import { listTables } from './schema/tables.ts'

const CACHE_KB = 64_000

/** Why a move is not possible, with the fix; nothing was changed. */
export class MoveRefused extends Error {}

/**
 * Copies a whole site into an empty database of either engine: creates the tables, copies every row from one snapshot and compares them, all in one
 * transaction, so that a failure leaves the target unchanged. Locks both sides against migrations, so no site can start on them.
 * @throws MoveRefused when the move is not possible; any other error also leaves the target unchanged
 */
export async function moveDatabase({
  from,
  to,
  now,
  isInUse,
  onTable,
}: {
  from: Database
  to: Database
  now: number
  /** Called once a site is known to exist: concurrent writes of a running site would be lost. */
  isInUse: () => Promise<boolean>
  onTable?: (copied: CopiedTable) => void
}): Promise<CopiedTable[]> {
  if (!(await listTables(from.db)).some(({ name }) => name === 'migration'))
    throw new MoveRefused('The database in DATABASE_URL contains no site.')
  if (await isInUse())
    throw new MoveRefused(
      'A site is running on the database, and its changes during the move would be lost. Stop every instance first.',
    )
  // With the default cache of 2 MB, SQLite would rewrite the pages of a large index many times.
  if (to.engine === 'sqlite') await sql`pragma cache_size = ${sql.lit(-CACHE_KB)}`.execute(to.db)
  const copied = await openSnapshot(from).execute(async (source) => {
    await requireLock(source, from, 'The database to move')
    await requireThisRelease(source)
    return to.db.transaction().execute(async (target) => {
      await requireLock(target, to, 'The database to move to')
      await requireNoForeignTables(target)
      await migrateWithin(target, to.engine, now)
      await requireNoRows(target)
      // Its rows are copied from the source like all others.
      await sql`delete from migration`.execute(target)
      return copyTables({ from: source, to: target, ...(onTable && { onTable }) })
    })
  })
  await gatherStatistics(to.db)
  return copied
}

function openSnapshot({ db, engine }: Database): TransactionBuilder<Schema> {
  const transaction = db.transaction()
  // On SQLite it excludes other writers.
  if (engine === 'sqlite') return transaction
  return transaction.setIsolationLevel('repeatable read').setAccessMode('read only')
}

async function requireLock(tx: Tx, { engine }: Database, which: string): Promise<void> {
  if (await tryLock(tx, engine)) return
  throw new MoveRefused(`${which} is in use by a starting site or another command. Try again when it is done.`)
}

async function requireThisRelease(source: Tx): Promise<void> {
  const { missing, unknown } = await compareRelease(source)
  if (unknown.length > 0)
    throw new MoveRefused(
      `The database was migrated by a newer release (${unknown.join(', ')}). Move it with that release.`,
    )
  if (missing.length > 0)
    throw new MoveRefused(
      `The database is from an older release (missing: ${missing.join(', ')}). Run "npm run admin -- migrate" first.`,
    )
}

async function requireNoForeignTables(target: Tx): Promise<void> {
  const names = (await listTables(target)).map(({ name }) => name)
  if (names.length === 0 || names.includes('migration')) return
  throw new MoveRefused(`The database to move to contains other tables (${names.join(', ')}). Use an empty one.`)
}

async function requireNoRows(target: Tx): Promise<void> {
  for (const { name } of await listTables(target)) {
    if (name === 'migration') continue
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target)
    if (rows.length > 0)
      throw new MoveRefused(`The database to move to is not empty: ${name} has rows. Use an empty one.`)
  }
}
