import { sql, type ExpressionBuilder } from 'kysely'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { EffectDefinition } from './define-effect.ts'
import { laneOf, type Lane, type Priority } from './effect-priorities.ts'
import { newId } from '#server/lib/ids.ts'
import type { PrioritySlots } from '#server/lib/priority-slots.ts'

/** Work to do after the transaction commits, such as sending an email or calling Stripe. */
export interface Effect<Payload> {
  effect: Pick<EffectDefinition<Payload>, 'kind' | 'priority' | 'people'>
  payload: NoInfer<Payload>
  /** When set, the effect is queued at most once, ever. */
  dedupeKey?: string
  /** The earliest time to run; immediately when omitted. */
  dueAt?: number
}

/** Cancels a queued effect by its key. */
export async function cancelEffect(db: Db, dedupeKey: string, now: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ doneAt: now, leasedUntil: null })
    .where('dedupeKey', '=', dedupeKey)
    .where('doneAt', 'is', null)
    .execute()
}

/** Cancels the queued emails to these people, by what may be their subject. */
export async function cancelEmailsTo(db: Db, subjects: readonly string[], now: number): Promise<void> {
  await queryInChunks(subjects, async (some) => {
    await db
      .updateTable('outbox')
      .set({ doneAt: now, leasedUntil: null })
      .where('kind', 'like', 'email.%')
      .where('subject', 'in', some)
      .where('recipient', 'is', null)
      .where('doneAt', 'is', null)
      .where('deadAt', 'is', null)
      .execute()
    return []
  })
}

/** Returns the keys of queued effects, finished or not, that match an SQL LIKE pattern. */
export async function listDedupeKeys(db: Db, pattern: string): Promise<string[]> {
  const rows = await db.selectFrom('outbox').select('dedupeKey').where('dedupeKey', 'like', pattern).execute()
  return rows.map(({ dedupeKey: key }) => key ?? '')
}

/** Returns which of these keys belong to a queued effect, finished or not. */
export async function findQueuedKeys(db: Db, dedupeKeys: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('outbox').select('dedupeKey').where('dedupeKey', 'in', dedupeKeys).execute()
  return rows.flatMap(({ dedupeKey }) => dedupeKey ?? [])
}

/** Removes effects whose work has not begun, so that their keys can be used again. */
export async function removeQueuedEffects(db: Db, dedupeKeys: readonly string[]): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where('dedupeKey', 'in', dedupeKeys)
    .where('attempts', '=', 0)
    .where('doneAt', 'is', null)
    .execute()
}

export interface ClaimedEffect {
  id: string
  kind: string
  payload: unknown
  priority: Priority
  /** Including the current attempt. */
  attempts: number
  createdAt: number
}

/** Queues an effect in the caller's transaction. */
export async function addToOutbox<Payload>(
  db: Db,
  { effect, payload, dedupeKey, dueAt }: Effect<Payload>,
  now: number,
): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      id: newId(now),
      kind: effect.kind,
      payload: JSON.stringify(payload),
      ...effect.people(payload),
      dedupeKey: dedupeKey ?? null,
      createdAt: now,
      dueAt: dueAt ?? now,
      lane: laneOf(effect.kind),
      priority: effect.priority(payload),
      leasedUntil: null,
      leasedBy: null,
      attempts: 0,
      lastError: null,
      doneAt: null,
      deadAt: null,
    })
    .onConflict((conflict) => conflict.column('dedupeKey').doNothing())
    .execute()
}

/** After this many lost races in a row, the next poll is soon enough. */
const MAX_CLAIM_ATTEMPTS = 5

const isClaimable = (now: number) => (eb: ExpressionBuilder<Schema, 'outbox'>) =>
  eb.and([
    eb('doneAt', 'is', null),
    eb('deadAt', 'is', null),
    eb('dueAt', '<=', now),
    eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<=', now)]),
  ])

/**
 * Leases due effects of a lane for `leaseMs`, most urgent first, then oldest, up to the number of free slots; each one claimed takes a slot. Safe under
 * concurrency: the update repeats the conditions, so the loser of a race finds no row.
 */
export async function claimEffects(
  db: Db,
  {
    lane,
    slots,
    leaseMs,
    holder: owner,
    inHand: inFlight = [],
    now,
  }: {
    lane: Lane
    slots: PrioritySlots
    leaseMs: number
    holder: string
    /** Effects this process still works on: their leases look expired after a clock jump. */
    inHand?: readonly string[]
    now: number
  },
): Promise<ClaimedEffect[]> {
  for (let tries = 0; tries < MAX_CLAIM_ATTEMPTS && slots.free() > 0; tries++) {
    const candidates = await db
      .selectFrom('outbox')
      .select(['id', 'priority'])
      .where('lane', '=', lane)
      .where(isClaimable(now))
      .$if(inFlight.length > 0, (query) => query.where('id', 'not in', [...inFlight]))
      .orderBy('priority')
      .orderBy('dueAt')
      .limit(slots.free())
      .execute()
    // When one does not fit, no less urgent one does.
    const chosen = candidates.filter(({ priority }) => {
      const fits = slots.canAcquire(priority)
      if (fits) slots.acquire(priority)
      return fits
    })
    if (chosen.length === 0) return []
    const claimed = await lease(db, chosen, { leasedUntil: now + leaseMs, holder: owner, now }).catch(
      (error: unknown) => {
        for (const { priority } of chosen) slots.release(priority)
        throw error
      },
    )
    for (const { id, priority } of chosen) if (!claimed.some((effect) => effect.id === id)) slots.release(priority)
    if (claimed.length > 0) return claimed
  }
  return []
}

async function lease(
  db: Db,
  chosen: readonly { id: string }[],
  { leasedUntil, holder, now }: { leasedUntil: number; holder: string; now: number },
): Promise<ClaimedEffect[]> {
  const ids = chosen.map(({ id }) => id)
  const rows = await db
    .updateTable('outbox')
    .set((eb) => ({ leasedUntil, leasedBy: holder, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .where(isClaimable(now))
    .returning(['id', 'kind', 'payload', 'priority', 'attempts', 'createdAt'])
    .execute()
  return rows
    .sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .map((row) => ({
      id: row.id,
      kind: row.kind,
      payload: JSON.parse(row.payload) as unknown,
      priority: row.priority,
      attempts: row.attempts,
      createdAt: row.createdAt,
    }))
}

/** Whether an email of this priority or higher is due or being sent. */
export async function isEmailDue(db: Db, priority: Priority, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('lane', '=', 'emails')
    .where('priority', '<=', priority)
    .where('doneAt', 'is', null)
    .where('deadAt', 'is', null)
    .where('dueAt', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Extends the leases of effects that are still running. */
export async function renewLeases(
  db: Db,
  ids: readonly string[],
  { leasedUntil, holder: owner }: { leasedUntil: number; holder: string },
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('outbox')
    .set({ leasedUntil })
    .where('id', 'in', ids)
    .where('leasedBy', '=', owner)
    .where('leasedUntil', 'is not', null)
    .execute()
}

export interface Lease {
  id: string
  leasedBy: string | null
  leasedUntil: number | null
}

/** Lists leases whose owner's id starts with the prefix. */
export async function listLeases(db: Db, prefix: string): Promise<Lease[]> {
  return db
    .selectFrom('outbox')
    .select(['id', 'leasedBy', 'leasedUntil'])
    .where('leasedUntil', 'is not', null)
    .where('doneAt', 'is', null)
    .where('deadAt', 'is', null)
    .where(sql<boolean>`substr(leased_by, 1, ${sql.lit(prefix.length)}) = ${prefix}`)
    .execute()
}

/** Frees the given leases unless renewed or taken since. Returns how many. */
export async function freeLeases(db: Db, leases: readonly Lease[]): Promise<number> {
  let freed = 0
  for (const { id, leasedBy, leasedUntil } of leases) {
    const { numUpdatedRows } = await db
      .updateTable('outbox')
      .set({ leasedUntil: null })
      .where('id', '=', id)
      .where('leasedBy', '=', leasedBy)
      .where('leasedUntil', '=', leasedUntil)
      .executeTakeFirst()
    freed += Number(numUpdatedRows)
  }
  return freed
}

export async function markEffectsDone(db: Db, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('outbox').set({ doneAt: now, leasedUntil: null }).where('id', 'in', ids).execute()
}

export async function postponeEffect(
  db: Db,
  { id, dueAt, error }: { id: string; dueAt: number; error: string },
): Promise<void> {
  await db.updateTable('outbox').set({ dueAt, leasedUntil: null, lastError: error }).where('id', '=', id).execute()
}

/** Dead-letters an effect; it is kept for the webmaster (`npm run admin -- outbox`). */
export async function deadLetter(
  db: Db,
  { id, error, now }: { id: string; error: string; now: number },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ deadAt: now, leasedUntil: null, lastError: error })
    .where('id', '=', id)
    .execute()
}
