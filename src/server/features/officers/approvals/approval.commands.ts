import type { Db } from '#server/db/database.ts'

/** Withdraws pending requests about an account that was ended, and erases the payloads of all its requests. */
export async function closeApprovalsOfAccount(db: Db, subjectId: string, now: number): Promise<void> {
  await db
    .updateTable('approval')
    .set({ state: 'withdrawn', openKey: null, decidedAt: now })
    .where('subjectId', '=', subjectId)
    .where('state', '=', 'waiting')
    .execute()
  await db.updateTable('approval').set({ payload: '{}' }).where('subjectId', '=', subjectId).execute()
}
