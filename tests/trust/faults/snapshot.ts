import type { World } from '../site.ts'

const TABLES = [
  'account',
  'membership',
  'payment',
  'checkout',
  'stripeEvent',
  'session',
  'pendingRegistration',
] as const
type Table = (typeof TABLES)[number]

/** All personal data as text: equal before and after an operation that must change nothing. */
export async function snapshotOf({ database: { db } }: World, tables: readonly Table[] = TABLES): Promise<string> {
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().orderBy('id').execute()))
  return JSON.stringify(rows)
}
