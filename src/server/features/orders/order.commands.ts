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

  async function findBy(db: Db, column: 'id' | 'openKey' | 'stripeSessionId', value: string) {
    const row = await all(db).where(column, '=', value).executeTakeFirst()
    return row ? read(row) : null
  }

  return {
    find: (db, id) => findBy(db, 'id', id),
    findOpen: (db, openKey) => findBy(db, 'openKey', openKey),
    findBySession: (db, stripeSessionId) => findBy(db, 'stripeSessionId', stripeSessionId),

    async listPending(db, before, limit) {
      const rows = await all(db)
        .where('state', 'in', PENDING_STATES)
        .where('checkedAt', '<', before)
        .orderBy('checkedAt')
        .limit(limit)
        .execute()
      return rows.map(read)
    },

    async lease(db, id, { now, until }) {
      const { numUpdatedRows } = await db
        .updateTable(name)
        .set({ leasedUntil: until })
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .where((eb) => eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<=', now)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async release(db, id, { newAttempt }) {
      await db
        .updateTable(name)
        .set((eb) => ({ leasedUntil: null, ...(newAttempt && { attempt: eb('attempt', '+', 1) }) }))
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .execute()
    },

    async markOpen(db, id, { stripeSessionId, url, now }) {
      const { numUpdatedRows } = await db
        .updateTable(name)
        .set({ state: 'open', stripeSessionId, url, leasedUntil: null, checkedAt: now })
        .where('id', '=', id)
        .where((eb) =>
          eb.or([
            eb('state', '=', 'creating'),
            eb.and([eb('state', '=', 'open'), eb('stripeSessionId', '=', stripeSessionId)]),
          ]),
        )
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async close(db, id, state) {
      await db
        .updateTable(name)
        .set({ state, openKey: null, leasedUntil: null })
        .where('id', '=', id)
        .where('state', 'in', PENDING_STATES)
        .execute()
    },

    async markChecked(db, id, now) {
      await db.updateTable(name).set({ checkedAt: now }).where('id', '=', id).execute()
    },
  }
}
