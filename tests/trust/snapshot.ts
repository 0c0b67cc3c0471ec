import type { World } from './site.ts'

const TABLES = ['account', 'membership', 'payment', 'checkout', 'stripe_event', 'session', 'pending_registration'] as const

/** Everything that belongs to somebody, as text: equal before and after what must change nothing. */
export async function snapshotOf({ database: { db } }: World): Promise<string> {
  const rows = await Promise.all(TABLES.map((table) => db.selectFrom(table).selectAll().orderBy('id').execute()))
  return JSON.stringify(rows)
}
