import type { Tx } from '../db/database.ts'

/**
 * Clears state that must not resume after a restore, in its transaction: revoked sessions would be valid again, so everyone logs in again; password reset links
 * may have been used since; and it is unknown who received a newsletter that was being sent, so it is paused for an officer.
 */
export async function resetRestoredState(tx: Tx, now: number): Promise<void> {
  await tx.updateTable('session').set({ revokedAt: now }).where('revokedAt', 'is', null).execute()
  await tx
    .updateTable('oneTimeToken')
    .set({ usedAt: now })
    .where('purpose', '=', 'password_reset')
    .where('usedAt', 'is', null)
    .execute()
  // The holders of all leases are gone, including the job that made the backup.
  await tx.updateTable('job').set({ leasedUntil: null }).execute()
  await tx.updateTable('mailing').set({ state: 'paused' }).where('state', '=', 'sending').execute()
}
