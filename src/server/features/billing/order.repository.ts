import type { Db } from '#server/db/database.ts'

/** The tables whose rows are paid on the provider's hosted page; these columns and states mean the same in each. */
type OrderTable = 'checkout' | 'sponsorship' | 'rsvp_order'

/** How an order's session is created once, whoever asks at the same time and whatever fails on the way (T08). */
export interface OrderQueries {
  /** Takes over a creation that was left unfinished. False when somebody is at it. */
  lease(db: Db, id: string, lease: { now: number; until: number }): Promise<boolean>
  /** Leaves a creation for a later try; a new attempt has a new idempotency key. */
  release(db: Db, id: string, next: { newAttempt: boolean }): Promise<void>
  markOpen(db: Db, id: string, session: { stripeSessionId: string; url: string | null; now: number }): Promise<void>
  /** Gives an unfinished or open order up. */
  close(db: Db, id: string, state: 'expired' | 'failed'): Promise<void>
  /** Notes that the provider was asked about it. */
  touch(db: Db, id: string, now: number): Promise<void>
}

export function orderQueries(table: OrderTable): OrderQueries {
  return {
    async lease(db, id, { now, until }) {
      const { numUpdatedRows } = await db
        .updateTable(table)
        .set({ leased_until: until })
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async release(db, id, { newAttempt }) {
      await db
        .updateTable(table)
        .set((eb) => ({ leased_until: null, ...(newAttempt && { attempt: eb('attempt', '+', 1) }) }))
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .execute()
    },

    async markOpen(db, id, { stripeSessionId, url, now }) {
      await db
        .updateTable(table)
        .set({ state: 'open', stripe_session_id: stripeSessionId, url, leased_until: null, checked_at: now })
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .execute()
    },

    async close(db, id, state) {
      await db
        .updateTable(table)
        .set({ state, open_key: null, leased_until: null })
        .where('id', '=', id)
        .where('state', 'in', ['creating', 'open'])
        .execute()
    },

    async touch(db, id, now) {
      await db.updateTable(table).set({ checked_at: now }).where('id', '=', id).execute()
    },
  }
}
