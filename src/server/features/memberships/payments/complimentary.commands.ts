import { region } from '#contract/region.ts'
import type { Db } from '#server/db/database.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { addLedgerEntry } from '#server/features/orders/payments/ledger.commands.ts'
import { type ComplimentaryTerm } from './complimentary.queries.ts'

export async function insertComplimentaryTerm(db: Db, term: ComplimentaryTerm): Promise<void> {
  await db.insertInto('complimentaryTerm').values(term).execute()
  const { id: paymentId, levelKey, givenAt: at } = term
  const currency = (await findLevel(db, levelKey))?.currency ?? region().currency
  const entry = { kind: 'dues', paymentId, currency, method: 'none', type: 'complimentary', amount: 0, at } as const
  await addLedgerEntry(db, entry, at)
}
