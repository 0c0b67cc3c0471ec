import { sql, type ExpressionBuilder } from 'kysely'
import type { Db } from '../db/database.ts'
import type { OutboxTable, Schema } from '../db/schema.ts'
import { laneOf, priorityOf, type EffectKind, type Lane, type Priority } from './effect-priorities.ts'
import { newId } from './ids.ts'
import type { Shares } from './shares.ts'

/** Something to be done after a fact is committed, such as a letter or a call to Stripe. */
export interface Effect {
  kind: EffectKind
  /** Ids and addresses; never a token or a password, which are derived when the effect runs. */
  payload: Record<string, unknown>
  /** When given, the same effect is queued at most once, ever. */
  dedupeKey?: string
  /** Not before this instant; at once when left out. */
  dueAt?: number
}

/** Takes back an effect that has nothing left to do, by its key. */
export async function takeBackEffect(db: Db, dedupeKey: string, now: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ done_at: now, leased_until: null })
    .where('dedupe_key', '=', dedupeKey)
    .where('done_at', 'is', null)
    .execute()
}

/** Keys of what was queued, done or not, that are like this pattern of SQL. */
export async function listDedupeKeys(db: Db, pattern: string): Promise<string[]> {
  const rows = await db.selectFrom('outbox').select('dedupe_key').where('dedupe_key', 'like', pattern).execute()
  return rows.map(({ dedupe_key: key }) => key ?? '')
}

export interface ClaimedEffect {
  id: string
  kind: string
  payload: Record<string, unknown>
  priority: Priority
  /** Including this one. */
  attempts: number
  createdAt: number
}

/** Queues an effect in the transaction of the fact that causes it. */
export async function addToOutbox(db: Db, { kind, payload, dedupeKey, dueAt }: Effect, now: number): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      id: newId(now),
      kind,
      payload: JSON.stringify(payload),
      dedupe_key: dedupeKey ?? null,
      created_at: now,
      due_at: dueAt ?? now,
      lane: laneOf(kind),
      priority: priorityOf(kind, payload),
      leased_until: null,
      leased_by: null,
      attempts: 0,
      last_error: null,
      done_at: null,
      dead_at: null,
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .execute()
}

/** When others were quicker so often in a row, the next look comes soon enough. */
const MOST_TRIES = 5

const isFree = (now: number) => (eb: ExpressionBuilder<Schema, 'outbox'>) =>
  eb.and([
    eb('done_at', 'is', null),
    eb('dead_at', 'is', null),
    eb('due_at', '<=', now),
    eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]),
  ])

/**
 * Takes effects of a lane that are due for `leaseMs`, the most urgent first and the oldest of those, as many as there are places for; each then has its
 * place. Another process never gets the same ones while the lease runs: the conditions stand on the update itself, so the one that comes second finds no
 * row.
 */
export async function claimEffects(
  db: Db,
  {
    lane,
    places,
    leaseMs,
    holder,
    inHand = [],
    now,
  }: {
    lane: Lane
    places: Shares
    leaseMs: number
    holder: string
    /** What this process works on still: its leases look over when the clock jumped. */
    inHand?: readonly string[]
    now: number
  },
): Promise<ClaimedEffect[]> {
  for (let tries = 0; tries < MOST_TRIES && places.free() > 0; tries++) {
    const wanted = await db
      .selectFrom('outbox')
      .select(['id', 'priority'])
      .where('lane', '=', lane)
      .where(isFree(now))
      .$if(inHand.length > 0, (query) => query.where('id', 'not in', [...inHand]))
      .orderBy('priority')
      .orderBy('due_at')
      .limit(places.free())
      .execute()
    // When one finds no place, no less urgent one does.
    const chosen = wanted.filter(({ priority }) => {
      const fits = places.mayBegin(priority)
      if (fits) places.begin(priority)
      return fits
    })
    if (chosen.length === 0) return []
    const claimed = await lease(db, chosen, { leasedUntil: now + leaseMs, holder, now }).catch((error: unknown) => {
      for (const { priority } of chosen) places.end(priority)
      throw error
    })
    for (const { id, priority } of chosen) if (!claimed.some((effect) => effect.id === id)) places.end(priority)
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
    .set((eb) => ({ leased_until: leasedUntil, leased_by: holder, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .where(isFree(now))
    .returning(['id', 'kind', 'payload', 'priority', 'attempts', 'created_at'])
    .execute()
  return rows
    .sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .map((row) => ({
      id: row.id,
      kind: row.kind,
      payload: JSON.parse(row.payload) as Record<string, unknown>,
      priority: row.priority,
      attempts: row.attempts,
      createdAt: row.created_at,
    }))
}

/** Whether an email of this priority, or a more urgent one, waits or is just being sent. */
export async function isEmailDue(db: Db, priority: Priority, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('lane', '=', 'letters')
    .where('priority', '<=', priority)
    .where('done_at', 'is', null)
    .where('dead_at', 'is', null)
    .where('due_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Keeps effects that are still under way from everybody else for longer. */
export async function renewLeases(
  db: Db,
  ids: readonly string[],
  { leasedUntil, holder }: { leasedUntil: number; holder: string },
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('outbox')
    .set({ leased_until: leasedUntil })
    .where('id', 'in', ids)
    .where('leased_by', '=', holder)
    .where('leased_until', 'is not', null)
    .execute()
}

export interface Lease {
  id: string
  leasedBy: string | null
  leasedUntil: number | null
}

/** Leases of processes whose names begin so. */
export async function listLeases(db: Db, prefix: string): Promise<Lease[]> {
  return db
    .selectFrom('outbox')
    .select(['id', 'leased_by as leasedBy', 'leased_until as leasedUntil'])
    .where('leased_until', 'is not', null)
    .where('done_at', 'is', null)
    .where('dead_at', 'is', null)
    .where(sql<boolean>`substr(leased_by, 1, ${sql.lit(prefix.length)}) = ${prefix}`)
    .execute()
}

/** Ends those of these leases that nobody renewed or took since. Answers how many. */
export async function freeLeases(db: Db, leases: readonly Lease[]): Promise<number> {
  let freed = 0
  for (const { id, leasedBy, leasedUntil } of leases) {
    const { numUpdatedRows } = await db
      .updateTable('outbox')
      .set({ leased_until: null })
      .where('id', '=', id)
      .where('leased_by', '=', leasedBy)
      .where('leased_until', '=', leasedUntil)
      .executeTakeFirst()
    freed += Number(numUpdatedRows)
  }
  return freed
}

export async function markEffectsDone(db: Db, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('outbox').set({ done_at: now, leased_until: null }).where('id', 'in', ids).execute()
}

export async function postponeEffect(
  db: Db,
  { id, dueAt, error }: { id: string; dueAt: number; error: string },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ due_at: dueAt, leased_until: null, last_error: error })
    .where('id', '=', id)
    .execute()
}

/** Gives an effect up; it stays for the webmaster (`npm run admin -- outbox`). */
export async function buryEffect(
  db: Db,
  { id, error, now }: { id: string; error: string; now: number },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ dead_at: now, leased_until: null, last_error: error })
    .where('id', '=', id)
    .execute()
}

/** Since when an effect waits that should have run: each try in vain moves when it is due, so from then on it counts from when it was queued. */
export const waitsSince = sql<number>`case when attempts > 0 then created_at else due_at end`

/** How long the oldest effect that should have run is waiting, in milliseconds, and how many were given up: for /readyz. */
export async function outboxHealth(db: Db, now: number): Promise<{ waitingMs: number; dead: number }> {
  const row = await db
    .selectFrom('outbox')
    .select((eb) => [
      eb.fn.min(eb.case().when('dead_at', 'is', null).then(waitsSince).end()).as('oldest'),
      sql<number>`count(dead_at)`.as('dead'),
    ])
    .where('done_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { waitingMs: row.oldest === null ? 0 : Math.max(0, now - Number(row.oldest)), dead: Number(row.dead) }
}

export interface DeadEffect {
  id: string
  kind: string
  deadAt: number
  error: string | null
}

export async function listDeadEffects(db: Db): Promise<DeadEffect[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'kind', 'dead_at', 'last_error'])
    .where('dead_at', 'is not', null)
    .orderBy('dead_at')
    .execute()
  return rows.map((row) => ({ id: row.id, kind: row.kind, deadAt: row.dead_at ?? 0, error: row.last_error }))
}

/** Puts given-up effects back; all of them, or one. Returns how many. */
export async function reviveEffects(db: Db, { id, now }: { id?: string | undefined; now: number }): Promise<number> {
  let query = db
    .updateTable('outbox')
    .set({ dead_at: null, due_at: now, attempts: 0, created_at: now })
    .where('dead_at', 'is not', null)
  if (id !== undefined) query = query.where('id', '=', id)
  const result = await query.executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export interface KeptEffect {
  id: string
  kind: string
  state: 'waiting' | 'done' | 'given up'
  /** When it was done or given up, else when it was queued. */
  at: number
  /** What went wrong last; null when nothing did, or it is done. */
  error: string | null
}

export async function findEffect(db: Db, id: string): Promise<KeptEffect | null> {
  const row = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toKept(row) : null
}

/** Letters whose payload names one of these ids or addresses, newest first. */
export async function listLettersAbout(db: Db, values: readonly string[]): Promise<KeptEffect[]> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('kind', 'like', 'letter.%')
    .where((eb) =>
      eb.or(
        values.map((value) => {
          // An underscore of an address stands for itself alone: letters of others are none of its letters.
          const part = `%${JSON.stringify(value).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
          return sql<boolean>`payload like ${part} escape '\\'`
        }),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toKept)
}

/** Queues the same effect anew, besides the one that was done: a mail server may take a letter of the same id for a copy. */
export async function sendAgain(db: Db, id: string, now: number): Promise<void> {
  const { kind, payload } = await db
    .selectFrom('outbox')
    .select(['kind', 'payload'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await addToOutbox(db, { kind: kind as EffectKind, payload: JSON.parse(payload) as Record<string, unknown> }, now)
}

function toKept(
  row: Pick<OutboxTable, 'id' | 'kind' | 'created_at' | 'done_at' | 'dead_at' | 'last_error'>,
): KeptEffect {
  const { id, kind, created_at: createdAt, done_at: doneAt, dead_at: deadAt } = row
  const state = deadAt !== null ? 'given up' : doneAt === null ? 'waiting' : 'done'
  return { id, kind, state, at: deadAt ?? doneAt ?? createdAt, error: doneAt === null ? row.last_error : null }
}

/** Forgets what was done long ago, so that addresses do not stay in the queue's history. */
export async function forgetDoneEffects(db: Db, before: number): Promise<void> {
  await db.deleteFrom('outbox').where('done_at', '<', before).execute()
}
