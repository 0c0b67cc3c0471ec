import { sql, type TransactionBuilder } from 'kysely'
import { copyTables, type CopiedTable } from './copy-tables.ts'
import type { Database, Tx } from './database.ts'
import { compareRelease, migrateWithin, tryLock } from './migrate.ts'
import type { Schema } from './schema.ts'
import { gatherStatistics } from './table-statistics.ts'
import { listTables } from './tables.ts'

const CACHE_KB = 64_000

/** What speaks against a move, with the cure; nothing was changed. */
export class MoveRefused extends Error {}

/**
 * Copies a whole site into an empty database of either engine: its tables are made there, every row copied from one snapshot and compared, all in one
 * transaction, so that a failure leaves the target as it was. Neither side can be migrated meanwhile, so no site starts on them.
 * @throws MoveRefused; anything else is a fault, and nothing is kept of it either.
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
  /** Asked once it is known that there is a site to move: what one that runs writes meanwhile would be lost. */
  isInUse: () => Promise<boolean>
  onTable?: (copied: CopiedTable) => void
}): Promise<CopiedTable[]> {
  if (!(await listTables(from.db)).some(({ name }) => name === 'migration'))
    throw new MoveRefused('There is no site in the database that DATABASE_URL names.')
  if (await isInUse())
    throw new MoveRefused(
      'A site runs on the database, and what it writes meanwhile would be lost. Stop every instance first.',
    )
  // With the 2 MB it has by itself, SQLite would write the pages of a large index again and again before it is done.
  if (to.engine === 'sqlite') await sql`pragma cache_size = ${sql.lit(-CACHE_KB)}`.execute(to.db)
  const copied = await snapshotOf(from).execute(async (source) => {
    await requireLock(source, from, 'The database to move')
    await requireThisRelease(source)
    return to.db.transaction().execute(async (target) => {
      await requireLock(target, to, 'The database to move to')
      await requireNothingOfOthers(target)
      await migrateWithin(target, to.engine, now)
      await requireNoRows(target)
      // Its rows come from the source like all others.
      await sql`delete from migration`.execute(target)
      return copyTables({ from: source, to: target, ...(onTable && { onTable }) })
    })
  })
  await gatherStatistics(to.db)
  return copied
}

function snapshotOf({ db, engine }: Database): TransactionBuilder<Schema> {
  const transaction = db.transaction()
  // On SQLite it keeps every other writer out.
  if (engine === 'sqlite') return transaction
  return transaction.setIsolationLevel('repeatable read').setAccessMode('read only')
}

async function requireLock(tx: Tx, { engine }: Database, which: string): Promise<void> {
  if (await tryLock(tx, engine)) return
  throw new MoveRefused(
    `${which} is in use: a site starts on it, or another command is at work. Try again when it is done.`,
  )
}

async function requireThisRelease(source: Tx): Promise<void> {
  const { missing, unknown } = await compareRelease(source)
  if (unknown.length > 0)
    throw new MoveRefused(
      `The database was made by a newer release (it knows ${unknown.join(', ')}). Move it with that release.`,
    )
  if (missing.length > 0)
    throw new MoveRefused(
      `The database is of an older release (it lacks ${missing.join(', ')}). Say "npm run admin -- migrate" first.`,
    )
}

async function requireNothingOfOthers(target: Tx): Promise<void> {
  const names = (await listTables(target)).map(({ name }) => name)
  if (names.length === 0 || names.includes('migration')) return
  throw new MoveRefused(
    `The database to move to holds tables of something else (${names.join(', ')}). Give it an empty one.`,
  )
}

async function requireNoRows(target: Tx): Promise<void> {
  for (const { name } of await listTables(target)) {
    if (name === 'migration') continue
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target)
    if (rows.length > 0)
      throw new MoveRefused(`The database to move to is not empty: ${name} has rows. Give it an empty one.`)
  }
}
