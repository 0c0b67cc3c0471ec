import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { hashToken, type Secrets } from '#server/platform/secrets.ts'
import { findAccount } from '../account/account.repository.ts'
import { markTokenSent, saveOneTimeToken, takeTokenToSend } from '../auth/one-time-token.repository.ts'
import { addedMemberEmail, invitationLetter } from './import-invitation.emails.ts'

const LINK_DAYS = 14

export interface ImportInvitations {
  /** Queues the letter in the transaction of the import, or of an officer who adds one member by hand. */
  invite(tx: Tx, accountId: string, now: number, as?: 'imported' | 'added'): Promise<void>
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
}

/** Invites an imported member to choose a password: the link of "Forgot password", good for longer. */
export function createImportInvitations({
  db,
  clock,
  secrets,
  siteUrl,
  association,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  siteUrl: string
  association(): Promise<Association>
}): ImportInvitations {
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
      await addToOutbox(tx, { kind: 'letter.invitation', payload: { tokenId, as }, dedupeKey }, now)
    },

    letters: {
      async 'letter.invitation'({ tokenId, as }) {
        const token = await takeTokenToSend(db, String(tokenId), clock.now())
        const account = token && (await findAccount(db, token.subjectId))
        if (!token || !account || account.deactivatedBy !== null) return null
        const query = new URLSearchParams({ token: secrets.token('password-reset', token.id), userId: account.id })
        const url = `${siteUrl}/reset-password?${query}`
        const { firstName, email, username } = account
        const compose = as === 'added' ? addedMemberEmail : invitationLetter
        return {
          ...compose({ firstName, email, username }, url, await association()),
          to: email,
          onSent: () => markTokenSent(db, token.id, clock.now()),
        }
      },
    },
  }
}
