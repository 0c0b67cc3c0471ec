import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { keepFromUndo } from './subscriber.commands.ts'
import { NOT_IMPORTED, type Subscriber, type SubscriberState } from './subscriber.queries.ts'

// Each value is a query parameter, and database engines limit how many a query may have.
const ROWS_PER_INSERT = 100

export async function findSubscriber(db: Db, id: string): Promise<Subscriber | null> {
  const row = await db.selectFrom('subscriber').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Upserts a pending subscriber; existing subscriptions are unchanged. */
export async function upsertPendingSubscriber(
  db: Db,
  { id, email, source, now }: { id: string; email: string; source: string; now: number },
): Promise<void> {
  await db
    .insertInto('subscriber')
    .values({
      id,
      email,
      emailKey: nameKey(email),
      state: 'pending',
      source,
      askedAt: now,
      confirmedAt: null,
      leftAt: null,
      ...NOT_IMPORTED,
      hardBounces: 0,
      softBounces: 0,
    })
    .onConflict((conflict) => conflict.column('emailKey').doUpdateSet({ askedAt: now }))
    .execute()
}

/** Subscribes imported addresses without double opt-in. Existing rows are unchanged; returns the ids of those that were added. */
export async function insertImported(
  db: Db,
  readers: readonly { id: string; email: string; consentOn: string | null; consentSource: string | null }[],
  now: number,
): Promise<Set<string>> {
  const rows = readers.map(({ id, email, consentOn, consentSource }) => ({
    id,
    email,
    emailKey: nameKey(email),
    state: 'subscribed' as const,
    source: 'import',
    askedAt: now,
    confirmedAt: null,
    leftAt: null,
    importedAt: now,
    consentOn,
    consentSource,
    hardBounces: 0,
    softBounces: 0,
  }))
  const added = await queryInChunks(
    rows,
    (some) =>
      db
        .insertInto('subscriber')
        .values(some)
        .onConflict((conflict) => conflict.column('emailKey').doNothing())
        .returning('id')
        .execute(),
    ROWS_PER_INSERT,
  )
  return new Set(added.map(({ id }) => id))
}

/** Subscribes, unless the person unsubscribed after `issuedAt`, when the link was made. Returns true if they are now subscribed. */
export async function confirmSubscriber(
  db: Db,
  { id, issuedAt, now }: { id: string; issuedAt: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('subscriber')
    .set((eb) => ({
      state: 'subscribed' as const,
      hardBounces: 0,
      softBounces: 0,
      // Opening the same link twice is a no-op.
      confirmedAt: eb
        .case()
        .when('state', '=', 'subscribed')
        .then(eb.fn.coalesce('confirmedAt', eb.val<number | null>(now)))
        .else(eb.val<number | null>(now))
        .end(),
    }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb('leftAt', 'is', null), eb('leftAt', '<=', issuedAt)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Counts a bounce. Returns the totals since the address was last confirmed. */
export async function countBounce(db: Db, id: string, kind: 'hard' | 'soft'): Promise<{ hard: number; soft: number }> {
  const column = kind === 'hard' ? 'hardBounces' : 'softBounces'
  const row = await db
    .updateTable('subscriber')
    .set((eb) => ({ [column]: eb(column, '+', 1) }))
    .where('id', '=', id)
    .returning(['hardBounces', 'softBounces'])
    .executeTakeFirst()
  return { hard: row?.hardBounces ?? 0, soft: row?.softBounces ?? 0 }
}

/** Unsubscribes after a bounce or complaint. */
export async function unsubscribeAfterBounce(
  db: Db,
  id: string,
  state: 'bounced' | 'complained',
  now: number,
): Promise<void> {
  await db
    .updateTable('subscriber')
    .set({ state, leftAt: now })
    .where('id', '=', id)
    .where('state', 'in', ['subscribed', 'pending'])
    .execute()
}

export async function countSubscribers(db: Db): Promise<Partial<Record<SubscriberState, number>>> {
  const rows = await db
    .selectFrom('subscriber')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}

/** One page of subscribers in a state, newest first. */
export async function findSubscriberPage(
  db: Db,
  { state, searchText, offset, limit }: { state: SubscriberState; searchText: string; offset: number; limit: number },
): Promise<Subscriber[]> {
  return matching(db, { state, searchText })
    .selectAll()
    .orderBy('askedAt', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** How many subscribers all pages have. */
export async function countSubscriberPage(
  db: Db,
  search: { state: SubscriberState; searchText: string },
): Promise<number> {
  const { count } = await matching(db, search)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function matching(db: Db, { state, searchText }: { state: SubscriberState; searchText: string }) {
  const pattern = `%${searchText.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  return db
    .selectFrom('subscriber')
    .where('state', '=', state)
    .$if(searchText !== '', (query) => query.where(sql<boolean>`email_key like ${pattern} escape '\\'`))
}

/** Deletes subscriptions that were never confirmed. */
export async function deleteUnconfirmedSubscribers(db: Db, before: number): Promise<void> {
  await db.deleteFrom('subscriber').where('state', '=', 'pending').where('askedAt', '<', before).execute()
}

/** Call only after the person's own double opt-in. */
export async function liftSuppression(db: Db, emailHash: string, now: number): Promise<void> {
  await db.deleteFrom('suppression').where('emailHash', '=', emailHash).execute()
  await keepFromUndo(db, emailHash, now)
}
