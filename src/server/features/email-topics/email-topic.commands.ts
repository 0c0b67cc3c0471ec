import type { Db } from '#server/db/database.ts'

export async function saveTopicChoice(
  db: Db,
  { id, accountId, topic, isWanted }: { id: string; accountId: string; topic: string; isWanted: boolean },
  now: number,
): Promise<void> {
  const choice = { isWanted: isWanted ? 1 : 0, chosenAt: now }
  await db
    .insertInto('emailTopicChoice')
    .values({ id, accountId, topic, ...choice })
    .onConflict((conflict) => conflict.columns(['accountId', 'topic']).doUpdateSet(choice))
    .execute()
}

/** For the deletion of an account: its choices, its copies that wait to be sent, and its address on the others. One that is being sent keeps it. */
export async function deleteEmailsToMember(db: Db, accountId: string, now: number): Promise<void> {
  await db.deleteFrom('emailTopicChoice').where('accountId', '=', accountId).execute()
  await db
    .updateTable('delivery')
    .set({ state: 'skipped', reason: 'the account was deleted', finishedAt: now })
    .where('recipientId', '=', accountId)
    .where('state', '=', 'waiting')
    .execute()
  await db
    .updateTable('delivery')
    .set({ email: '' })
    .where('recipientId', '=', accountId)
    .where('state', '!=', 'sending')
    .execute()
}
