import type { Db } from '#server/db/database.ts'

/** Tables of orders that are paid on the provider's hosted page. They share these columns and states. */
export type OrderTable = 'checkout' | 'sponsorship' | 'rsvpOrder'

/** States in which an order may still be paid. */
export const PENDING_STATES = ['creating', 'open'] as const

/** Finds orders and creates their sessions exactly once, under concurrency and failures. */
export interface OrderQueries<Order> {
  find(db: Db, id: string): Promise<Order | null>
  /** The order with this key that is being created or open. */
  findOpen(db: Db, openKey: string): Promise<Order | null>
  findBySession(db: Db, stripeSessionId: string): Promise<Order | null>
  /** Unfinished and open orders that were last checked before `before`, longest unchecked first. Used by the reconciler. */
  listPending(db: Db, before: number, limit: number): Promise<Order[]>
  /** Takes over an unfinished creation. Returns false if another request holds the lease. */
  lease(db: Db, id: string, lease: { now: number; until: number }): Promise<boolean>
  /** Releases the lease for a later retry. A new attempt gets a new idempotency key. */
  release(db: Db, id: string, next: { newAttempt: boolean }): Promise<void>
  /** Returns false if the order was closed or completed in the meantime; the caller must then expire the session. Idempotent. */
  markOpen(db: Db, id: string, session: { stripeSessionId: string; url: string | null; now: number }): Promise<boolean>
  /** Closes an unfinished or open order. */
  close(db: Db, id: string, state: 'expired' | 'failed'): Promise<void>
  /** Records that the order was checked with the provider. */
  markChecked(db: Db, id: string, now: number): Promise<void>
}
