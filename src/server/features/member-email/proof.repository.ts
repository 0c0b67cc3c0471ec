import type { Db } from '#server/db/database.ts'
import type { MemberEmailProofTable } from '#server/db/schema/member-email-schema.ts'

/** A proof of sending, without its files. */
export async function findProof(
  db: Db,
  campaignId: string,
): Promise<Pick<MemberEmailProofTable, 'sealedAt' | 'sealedBy'> | null> {
  const row = await db
    .selectFrom('memberEmailProof')
    .select(['sealedAt', 'sealedBy'])
    .where('campaignId', '=', campaignId)
    .executeTakeFirst()
  return row ?? null
}

export async function readProof(db: Db, campaignId: string): Promise<MemberEmailProofTable | null> {
  const row = await db
    .selectFrom('memberEmailProof')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .executeTakeFirst()
  return row ?? null
}

/** A sealed proof is never replaced. Returns false if there was one. */
export async function insertProof(db: Db, proof: MemberEmailProofTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('memberEmailProof')
    .values(proof)
    .onConflict((conflict) => conflict.column('campaignId').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
