import type { World } from './site.ts'

const TABLES = [
  'account',
  'membership',
  'payment',
  'checkout',
  'stripe_event',
  'session',
  'pending_registration',
] as const
type Table = (typeof TABLES)[number]

/** Everything that belongs to somebody, as text: equal before and after what must change nothing. */
export async function snapshotOf({ database: { db } }: World, tables: readonly Table[] = TABLES): Promise<string> {
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().orderBy('id').execute()))
  return JSON.stringify(rows)
}
