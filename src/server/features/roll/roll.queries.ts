import type { Db } from '#server/db/database.ts'

/** Entries of rolls on which the remaining account of a merge is not. */
export async function listMovingEntries(db: Db, { from, to }: { from: string; to: string }): Promise<string[]> {
  const rows = await db
    .selectFrom('rollEntry')
    .select('id')
    .where('accountId', '=', from)
    .where('rollId', 'not in', (eb) => eb.selectFrom('rollEntry').select('rollId').where('accountId', '=', to))
    .execute()
  return rows.map(({ id }) => id)
}

/** The sealed roll of the latest record day, and how many are on it; null before the first seal. */
export async function findLastSealedRoll(db: Db): Promise<{ people: number; recordDay: string } | null> {
  const roll = await db
    .selectFrom('roll')
    .select(['id', 'recordDay'])
    .where('sealedAt', 'is not', null)
    .orderBy('recordDay', 'desc')
    .orderBy('sealedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!roll) return null
  const { people } = await db
    .selectFrom('rollEntry')
    .select((eb) => eb.fn.countAll<string | number>().as('people'))
    .where('rollId', '=', roll.id)
    .where('removedBy', 'is', null)
    .executeTakeFirstOrThrow()
  return { people: Number(people), recordDay: roll.recordDay }
}
