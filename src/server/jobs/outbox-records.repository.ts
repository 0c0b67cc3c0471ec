import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { OutboxTable } from '#server/db/schema/outbox-schema.ts'
import { newId } from '#server/lib/ids.ts'

/** When an effect became overdue. Retries push `due_at`, so after a failure measure from `created_at`. */
export const overdueSince = sql<number>`case when attempts > 0 then created_at else due_at end`

/** How long the oldest overdue effect has been waiting, in milliseconds, and the number of dead letters; for /readyz. */
export async function outboxHealth(db: Db, now: number): Promise<{ waitingMs: number; dead: number }> {
  const row = await db
    .selectFrom('outbox')
    .select((eb) => [
      eb.fn.min(eb.case().when('deadAt', 'is', null).then(overdueSince).end()).as('oldest'),
      sql<number>`count(dead_at)`.as('dead'),
    ])
    .where('doneAt', 'is', null)
    .executeTakeFirstOrThrow()
  return { waitingMs: row.oldest === null ? 0 : Math.max(0, now - Number(row.oldest)), dead: Number(row.dead) }
}

export interface DeadLetter {
  id: string
  kind: string
  deadAt: number
  error: string | null
}

export async function listDeadLetters(db: Db): Promise<DeadLetter[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'kind', 'deadAt', 'lastError'])
    .where('deadAt', 'is not', null)
    .orderBy('deadAt')
    .execute()
  return rows.map((row) => ({ id: row.id, kind: row.kind, deadAt: row.deadAt ?? 0, error: row.lastError }))
}

/** Requeues dead letters, all or one. Returns how many. */
export async function requeueDeadLetters(
  db: Db,
  { id, now }: { id?: string | undefined; now: number },
): Promise<number> {
  let query = db
    .updateTable('outbox')
    .set({ deadAt: null, dueAt: now, attempts: 0, createdAt: now })
    .where('deadAt', 'is not', null)
  if (id !== undefined) query = query.where('id', '=', id)
  const result = await query.executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export interface EffectRecord {
  id: string
  kind: string
  state: 'waiting' | 'done' | 'given up'
  /** When it finished or was given up, else when it was queued. */
  at: number
  /** The last error; null when there is none or the effect succeeded. */
  error: string | null
}

export async function findEffect(db: Db, id: string): Promise<EffectRecord | null> {
  const row = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toRecord(row) : null
}

/** Lists emails about or to a person, newest first, by the ids and addresses of that person. */
export async function listEmailsAbout(db: Db, values: readonly string[]): Promise<EffectRecord[]> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where((eb) => eb.or([eb('subject', 'in', values), eb('recipient', 'in', values)]))
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toRecord)
}

/** Queues a copy of a finished effect under a new id: a mail server may drop an email with the same id as a duplicate. */
export async function requeueCopy(db: Db, id: string, now: number): Promise<void> {
  const row = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await db
    .insertInto('outbox')
    .values({
      ...row,
      id: newId(now),
      dedupeKey: null,
      createdAt: now,
      dueAt: now,
      leasedUntil: null,
      leasedBy: null,
      attempts: 0,
      lastError: null,
      doneAt: null,
      deadAt: null,
    })
    .execute()
}

function toRecord(
  row: Pick<OutboxTable, 'id' | 'kind' | 'createdAt' | 'doneAt' | 'deadAt' | 'lastError'>,
): EffectRecord {
  const { id, kind, createdAt, doneAt, deadAt } = row
  const state = deadAt !== null ? 'given up' : doneAt === null ? 'waiting' : 'done'
  return { id, kind, state, at: deadAt ?? doneAt ?? createdAt, error: doneAt === null ? row.lastError : null }
}

/** Deletes effects finished long ago, so that addresses do not stay in the queue's history. */
export async function deleteFinishedEffects(db: Db, before: number): Promise<void> {
  await db.deleteFrom('outbox').where('doneAt', '<', before).execute()
}
