import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { type OrderQueries, type OrderTable, PENDING_STATES } from './order.queries.ts'

/** @param toOrder maps a row to the feature's type */
export function orderQueries<Table extends OrderTable, Order>(
  table: Table,
  toOrder: (row: Schema[Table]) => Order,
): OrderQueries<Order> {
  // The query builder only knows the columns that the three tables share; `selectAll` guarantees complete rows.
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

    async listPending(db, before, limit) {
      const rows = await all(db)
        .where('state', 'in', PENDING_STATES)
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
        .where('state', 'in', PENDING_STATES)
        .execute()
    },

    async markChecked(db, id, now) {
      await db.updateTable(name).set({ checked_at: now }).where('id', '=', id).execute()
    },
  }
}
