import type { Tx } from '../db/database.ts'

/**
 * What must not go on as if no time had passed, in the transaction of a restore: sessions ended since the backup would live again, so everybody logs in
 * anew; links for a new password may have been used since; and of a newsletter that was being sent nobody knows who has it, so it waits for an officer.
 */
export async function settleRestored(tx: Tx, now: number): Promise<void> {
  await tx.updateTable('session').set({ revoked_at: now }).where('revoked_at', 'is', null).execute()
  await tx
    .updateTable('one_time_token')
    .set({ used_at: now })
    .where('purpose', '=', 'password_reset')
    .where('used_at', 'is', null)
    .execute()
  // Whoever held them is gone, the job that made the backup among them.
  await tx.updateTable('job').set({ leased_until: null }).execute()
  await tx.updateTable('mailing').set({ state: 'paused' }).where('state', '=', 'sending').execute()
}
