import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'

/** The tables whose rows are paid on the provider's hosted page; these columns and states mean the same in each. */
type OrderTable = 'checkout' | 'sponsorship' | 'rsvp_order'

/** The states in which an order may still be paid. */
export const UNSETTLED = ['creating', 'open'] as const

/** How an order is found, and its session created once, whoever asks at the same time and whatever fails on the way. */
export interface OrderQueries<Order> {
  find(db: Db, id: string): Promise<Order | null>
  /** The order with this key that is being created or open. */
  findOpen(db: Db, openKey: string): Promise<Order | null>
  findBySession(db: Db, stripeSessionId: string): Promise<Order | null>
  /** Those being created or open nothing was heard of since `before`, longest first: the reconciler's work. */
  listUnsettled(db: Db, before: number, limit: number): Promise<Order[]>
  /** Takes over a creation that was left unfinished. False when somebody is at it. */
  lease(db: Db, id: string, lease: { now: number; until: number }): Promise<boolean>
  /** Leaves a creation for a later try; a new attempt has a new idempotency key. */
  release(db: Db, id: string, next: { newAttempt: boolean }): Promise<void>
  /** False when the order was given up or settled meanwhile: whoever asked for the session must end it. Saying the same twice is fine. */
  markOpen(db: Db, id: string, session: { stripeSessionId: string; url: string | null; now: number }): Promise<boolean>
  /** Gives an unfinished or open order up. */
  close(db: Db, id: string, state: 'expired' | 'failed'): Promise<void>
  /** Notes that the provider was asked about it. */
  touch(db: Db, id: string, now: number): Promise<void>
}

/** @param toOrder what the feature calls the columns of a row */
export function orderQueries<Table extends OrderTable, Order>(
  table: Table,
  toOrder: (row: Schema[Table]) => Order,
): OrderQueries<Order> {
  // Of three tables the query builder knows what they share; that a row is whole, `selectAll` sees to.
  const name: OrderTable = table
  const read = (row: unknown) => toOrder(row as Schema[Table])
  const all = (db: Db) => db.selectFrom(name).selectAll()

  async function findBy(db: Db, column: 'id' | 'open_key' | 'stripe_session_id', value: string) {
    const row = await all(db).where(column, '=', value).executeTakeFirst()
    return row ? read(row) : null
  }

  return {
    find: (db, id) => findBy(db, 'id', id),
    findOpen: (db, openKey) => findBy(db, 'open_key', openKey),
    findBySession: (db, stripeSessionId) => findBy(db, 'stripe_session_id', stripeSessionId),

    async listUnsettled(db, before, limit) {
      const rows = await all(db)
        .where('state', 'in', UNSETTLED)
        .where('checked_at', '<', before)
        .orderBy('checked_at')
        .limit(limit)
        .execute()
      return rows.map(read)
    },

    async lease(db, id, { now, until }) {
      const { numUpdatedRows } = await db
        .updateTable(name)
        .set({ leased_until: until })
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async release(db, id, { newAttempt }) {
      await db
        .updateTable(name)
        .set((eb) => ({ leased_until: null, ...(newAttempt && { attempt: eb('attempt', '+', 1) }) }))
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .execute()
    },

    async markOpen(db, id, { stripeSessionId, url, now }) {
      const { numUpdatedRows } = await db
        .updateTable(name)
        .set({ state: 'open', stripe_session_id: stripeSessionId, url, leased_until: null, checked_at: now })
        .where('id', '=', id)
        .where((eb) =>
          eb.or([
            eb('state', '=', 'creating'),
            eb.and([eb('state', '=', 'open'), eb('stripe_session_id', '=', stripeSessionId)]),
          ]),
        )
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async close(db, id, state) {
      await db
        .updateTable(name)
        .set({ state, open_key: null, leased_until: null })
        .where('id', '=', id)
        .where('state', 'in', UNSETTLED)
        .execute()
    },

    async touch(db, id, now) {
      await db.updateTable(name).set({ checked_at: now }).where('id', '=', id).execute()
    },
  }
}
