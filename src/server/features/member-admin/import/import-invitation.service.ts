import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { saveOneTimeToken } from '#server/features/auth/one-time-token.commands.ts'
import { sendInvitation } from './import-invitation.emails.ts'

const LINK_DAYS = 14

/** Invites imported members to choose a password: a password reset link that is valid longer. */
export function createImportInvitations({ secrets }: AppContext) {
  return {
    /** Queues the email in the transaction that creates the account. */
    async invite(tx: Tx, accountId: string, now: number, as: 'imported' | 'added' = 'imported'): Promise<void> {
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

export type ImportInvitations = ReturnType<typeof createImportInvitations>
