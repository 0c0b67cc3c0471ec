import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { hashToken, type Secrets } from '#server/lib/secrets.ts'
import { saveOneTimeToken } from '#server/features/auth/one-time-token.commands.ts'
import { sendInvitation } from './import-invitation.emails.ts'

const LINK_DAYS = 14

export interface ImportInvitations {
  /** Queues the email in the transaction that creates the account. */
  invite(tx: Tx, accountId: string, now: number, as?: 'imported' | 'added'): Promise<void>
}

/** Invites imported members to choose a password: a password reset link that is valid longer. */
export function createImportInvitations({ secrets }: { secrets: Secrets }): ImportInvitations {
  return {
    async invite(tx, accountId, now, as = 'imported') {
      const tokenId = newId(now)
      await saveOneTimeToken(tx, {
        id: tokenId,
        purpose: 'password_reset',
        tokenHash: hashToken(secrets.token('password-reset', tokenId)),
        subjectId: accountId,
        createdAt: now,
        expiresAt: now + LINK_DAYS * 86_400_000,
      })
      const dedupeKey = `invitation:${accountId}`
      await addToOutbox(tx, { effect: sendInvitation, payload: { tokenId, as }, dedupeKey }, now)
    },
  }
}
