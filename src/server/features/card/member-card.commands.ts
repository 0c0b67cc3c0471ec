import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { MemberCardTable } from '#server/db/schema/account-schema.ts'
import { findCard } from './member-card.queries.ts'

type CardCode = Pick<MemberCardTable, 'accountId' | 'codeId' | 'codeHash'>

/** How often a number taken by another member at the same moment is tried again. */
const ATTEMPTS = 20

/** Stores a first code with the next number; returns the card that is there already. Call it in a transaction that holds the account's lock. */
export async function saveFirstCode(db: Db, code: CardCode, now: number): Promise<MemberCardTable> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await db
      .insertInto('memberCard')
      .values((eb) => ({
        ...code,
        number: eb.selectFrom('memberCard as other').select(sql<number>`coalesce(max(other.number), 0) + 1`.as('next')),
        madeAt: now,
        revokedAt: null,
      }))
      // Without a column: also if another member took the number.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const card = await findCard(db, code.accountId)
    if (card) return card
  }
  throw new Error('No number is free for a card.')
}

/** Replaces the code; the former one is unknown from then on. */
export async function saveNewCode(db: Db, { accountId, ...code }: CardCode, now: number): Promise<void> {
  await db
    .updateTable('memberCard')
    .set({ ...code, madeAt: now, revokedAt: null })
    .where('accountId', '=', accountId)
    .execute()
}

export async function saveRevocation(db: Db, accountId: string, now: number): Promise<void> {
  await db.updateTable('memberCard').set({ revokedAt: now }).where('accountId', '=', accountId).execute()
}

export async function deleteCard(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('memberCard').where('accountId', '=', accountId).execute()
}
