import type { RollWay } from '#contract/console/people/roll.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Db } from '#server/db/database.ts'
import { foldText } from '#server/db/fold-text.rules.ts'
import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { RollEntryTable, RollObjectionTable, RollTable } from '#server/db/schema/roll-schema.ts'
import { newId } from '#server/lib/ids.ts'

const ROWS_PER_INSERT = 50

/** A roll without its sealed list. */
export type StoredRoll = Omit<ReadJson<RollTable, 'rule'>, 'list'>

const COLUMNS = [
  'id',
  'name',
  'recordDay',
  'rule',
  'ruleKey',
  'frozenAt',
  'frozenBy',
  'objectionsUntil',
  'sealedAt',
  'sealedBy',
  'digest',
] as const

export async function findRoll(db: Db, id: string): Promise<StoredRoll | null> {
  const row = await db.selectFrom('roll').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row ? readJson(row, 'rule') : null
}

export async function findRollByKey(db: Db, ruleKey: string): Promise<StoredRoll | null> {
  const row = await db.selectFrom('roll').select(COLUMNS).where('ruleKey', '=', ruleKey).executeTakeFirst()
  return row ? readJson(row, 'rule') : null
}

/** Newest record day first. */
export async function listStoredRolls(db: Db): Promise<StoredRoll[]> {
  const rows = await db.selectFrom('roll').select(COLUMNS).orderBy('recordDay', 'desc').orderBy('id', 'desc').execute()
  return rows.map((row) => readJson(row, 'rule'))
}

/** False if there is a roll of this day and rule: of two officers at once, one makes it. */
export async function insertRoll(db: Db, roll: Omit<StoredRoll, 'sealedAt' | 'sealedBy' | 'digest'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('roll')
    .values({ ...roll, rule: JSON.stringify(roll.rule), sealedAt: null, sealedBy: null, digest: null, list: null })
    .onConflict((conflict) => conflict.column('ruleKey').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export interface NewEntry {
  accountId: string
  firstName: string
  lastName: string
  level: string
  way: RollWay
  address: string
}

export async function insertEntries(
  db: Db,
  rollId: string,
  entries: readonly NewEntry[],
  { now, addedBy }: { now: number; addedBy: string | null },
): Promise<void> {
  await queryInChunks(
    entries,
    async (some) => {
      const rows = some.map((entry) => ({
        id: newId(now),
        rollId,
        ...entry,
        sortKey: foldText(`${entry.lastName} ${entry.firstName}`),
        removedBy: null,
        addedBy,
      }))
      await db
        .insertInto('rollEntry')
        .values(rows)
        // Someone who was removed by an earlier objection is on it again.
        .onConflict((conflict) => conflict.columns(['rollId', 'accountId']).doUpdateSet({ removedBy: null, addedBy }))
        .execute()
      return []
    },
    ROWS_PER_INSERT,
  )
}

/** Takes a person off a roll; false if the person is not on it. */
export async function removeEntry(
  db: Db,
  { rollId, accountId, objectionId }: { rollId: string; accountId: string; objectionId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rollEntry')
    .set({ removedBy: objectionId })
    .where('rollId', '=', rollId)
    .where('accountId', '=', accountId)
    .where('removedBy', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** People by the alphabet. @param page null: everyone */
export async function listEntries(
  db: Db,
  rollId: string,
  { page, withRemoved }: { page: { number: number; size: number } | null; withRemoved: boolean },
): Promise<RollEntryTable[]> {
  let query = db
    .selectFrom('rollEntry')
    .selectAll()
    .where('rollId', '=', rollId)
    .orderBy('sortKey')
    .orderBy('accountId')
  if (!withRemoved) query = query.where('removedBy', 'is', null)
  if (page) query = query.limit(page.size).offset((page.number - 1) * page.size)
  return query.execute()
}

export async function countEntries(db: Db, rollId: string, { withRemoved = false } = {}): Promise<number> {
  let query = db
    .selectFrom('rollEntry')
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .where('rollId', '=', rollId)
  if (!withRemoved) query = query.where('removedBy', 'is', null)
  return Number((await query.executeTakeFirstOrThrow()).count)
}

export async function isOnRoll(db: Db, rollId: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('rollEntry')
    .select('id')
    .where('rollId', '=', rollId)
    .where('accountId', '=', accountId)
    .where('removedBy', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Seals a roll; false if it is sealed. */
export async function saveSeal(
  db: Db,
  id: string,
  seal: { sealedAt: number; sealedBy: string; digest: string; list: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('roll')
    .set(seal)
    .where('id', '=', id)
    .where('sealedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function readSealedList(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('roll').select('list').where('id', '=', id).executeTakeFirst()
  return row?.list ?? null
}

/** Locks the roll until the transaction ends (PostgreSQL; on SQLite, transactions run one at a time). */
export async function lockRoll(db: Db, id: string): Promise<void> {
  await db
    .updateTable('roll')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', '=', id)
    .execute()
}

/** Oldest first. */
export async function listObjections(db: Db, rollId: string): Promise<RollObjectionTable[]> {
  return db
    .selectFrom('rollObjection')
    .selectAll()
    .where('rollId', '=', rollId)
    .orderBy('madeAt')
    .orderBy('id')
    .execute()
}

export async function insertObjection(
  db: Db,
  objection: Pick<RollObjectionTable, 'id' | 'rollId' | 'accountId' | 'text' | 'madeAt'>,
): Promise<void> {
  await db
    .insertInto('rollObjection')
    .values({ ...objection, answer: null, answeredBy: null, answeredAt: null })
    .execute()
}

/** False if it is answered. */
export async function saveObjectionAnswer(
  db: Db,
  id: string,
  answer: { answer: string; answeredBy: string; answeredAt: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rollObjection')
    .set(answer)
    .where('id', '=', id)
    .where('answeredAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
