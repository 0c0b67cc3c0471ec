import type { Db } from '#server/db/database.ts'
import type { LedgerEntryTable } from '#server/db/schema/money-schema.ts'

export type LedgerRow = Pick<LedgerEntryTable, 'kind' | 'type' | 'at' | 'amount' | 'currency' | 'method'>

/** What a sum needs of the entries of a span; `to` is exclusive. Oldest first. */
export function listLedger(db: Db, { from, to }: { from: number; to: number }): Promise<LedgerRow[]> {
  return db
    .selectFrom('ledgerEntry')
    .select(['kind', 'type', 'at', 'amount', 'currency', 'method'])
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('at')
    .orderBy('id')
    .execute()
}
