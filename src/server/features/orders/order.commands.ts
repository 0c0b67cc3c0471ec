import type { Kysely } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { type Order, type OrderColumns, type OrderState, type OrderTable, PENDING_STATES } from './order.queries.ts'

type GivenLater = 'state' | 'attempt' | 'stripeSessionId' | 'url' | 'checkedAt' | 'paidAt'

/** A row to insert: the columns that the machine fills in later are left out. */
export type NewOrder<Table extends OrderTable> = Omit<Schema[Table], GivenLater>

export type OrderCommands<O extends Order = Order> = ReturnType<typeof orderCommands<OrderTable, O>>

/**
 * Finds orders of a table and creates their sessions exactly once, under concurrency and failures.
 * @param toOrder maps a row to the feature's type
 * @param paidState the state of a paid order
 */
export function orderCommands<Table extends OrderTable, O extends Order>(
  table: Table,
  toOrder: (row: Schema[Table]) => O,
  paidState: 'paid' | 'completed' = 'paid',
) {
  // The query builder only knows the columns that the tables share; `selectAll` guarantees complete rows.
  const name = table as unknown as 'order'
  const orders = (db: Db) => db as unknown as Kysely<{ order: OrderColumns }>
  const read = (row: unknown) => toOrder(row as Schema[Table])

  async function findBy(db: Db, column: 'id' | 'openKey' | 'stripeSessionId', value: string): Promise<O | null> {
    const row = await orders(db).selectFrom(name).selectAll().where(column, '=', value).executeTakeFirst()
    return row ? read(row) : null
  }

  return {
    find: (db: Db, id: string) => findBy(db, 'id', id),
    /** The order with this key that is being created or open. */
    findOpen: (db: Db, openKey: string) => findBy(db, 'openKey', openKey),
    findBySession: (db: Db, stripeSessionId: string) => findBy(db, 'stripeSessionId', stripeSessionId),

    /** Unfinished and open orders that were last checked before `before`, longest unchecked first. */
    async listPending(db: Db, before: number, limit: number): Promise<O[]> {
      const rows = await orders(db)
        .selectFrom(name)
        .selectAll()
        .where('state', 'in', PENDING_STATES)
        .where('checkedAt', '<', before)
        .orderBy('checkedAt')
        .limit(limit)
        .execute()
      return rows.map(read)
    },

    /** Returns false if an order with this key is pending. A unique key enforces this under concurrency. */
    async insert(db: Db, order: NewOrder<Table>): Promise<boolean> {
      const own = order as unknown as Omit<OrderColumns, GivenLater>
      const given = { state: 'creating' as const, attempt: 0, stripeSessionId: null, url: null, paidAt: null }
      const row = await orders(db)
        .insertInto(name)
        .values({ ...given, ...own, checkedAt: own.createdAt })
        .onConflict((conflict) => conflict.column('openKey').doNothing())
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Takes over an unfinished creation. Returns false if another request holds the lease. */
    async lease(db: Db, id: string, { now, until }: { now: number; until: number }): Promise<boolean> {
      const { numUpdatedRows } = await orders(db)
        .updateTable(name)
        .set({ leasedUntil: until })
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .where((eb) => eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<=', now)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Releases the lease for a later retry. A new attempt gets a new idempotency key. */
    async release(db: Db, id: string, { newAttempt }: { newAttempt: boolean }): Promise<void> {
      await orders(db)
        .updateTable(name)
        .set((eb) => ({ leasedUntil: null, ...(newAttempt && { attempt: eb('attempt', '+', 1) }) }))
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .execute()
    },

    /** Returns false if the order was closed or completed in the meantime; the caller must then expire the session. Idempotent. */
    async markOpen(
      db: Db,
      id: string,
      { stripeSessionId, url, now }: { stripeSessionId: string; url: string | null; now: number },
    ): Promise<boolean> {
      const { numUpdatedRows } = await orders(db)
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

    /** True for exactly one caller. Locks the row until the transaction ends. */
    async markPaid(
      db: Db,
      id: string,
      { stripeSessionId, paidAt, now }: { stripeSessionId: string; paidAt: number; now: number },
    ): Promise<boolean> {
      const { numUpdatedRows } = await orders(db)
        .updateTable(name)
        .set({ state: paidState, openKey: null, leasedUntil: null, stripeSessionId, paidAt, checkedAt: now })
        .where('id', '=', id)
        .where('state', 'not in', [paidState, 'refunded'])
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** For a payment that the completing transaction finds it must refund. */
    async markRefunded(db: Db, id: string): Promise<void> {
      await orders(db).updateTable(name).set({ state: 'refunded' }).where('id', '=', id).execute()
    },

    /** Closes an unfinished or open order. */
    async close(db: Db, id: string, state: 'expired' | 'failed'): Promise<void> {
      await orders(db)
        .updateTable(name)
        .set({ state, openKey: null, leasedUntil: null })
        .where('id', '=', id)
        .where('state', 'in', PENDING_STATES)
        .execute()
    },

    /** Allows the same order again, while the old session, which is about to expire, is still tracked. */
    async releaseKey(db: Db, id: string): Promise<void> {
      await orders(db).updateTable(name).set({ openKey: null }).where('id', '=', id).execute()
    },

    /** Records that the order was checked with the provider. */
    async markChecked(db: Db, id: string, now: number): Promise<void> {
      await orders(db).updateTable(name).set({ checkedAt: now }).where('id', '=', id).execute()
    },

    /** Deletes old orders that were never paid. */
    async deleteUnpaid(db: Db, before: number): Promise<void> {
      const closed: OrderState[] = ['expired', 'failed']
      await orders(db).deleteFrom(name).where('state', 'in', closed).where('createdAt', '<', before).execute()
    },
  }
}
