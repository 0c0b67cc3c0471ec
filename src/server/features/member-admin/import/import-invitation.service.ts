import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import type { Clock } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { hashToken, type Secrets } from '#server/lib/secrets.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { markTokenSent, saveOneTimeToken, startTokenLifetime } from '#server/features/auth/one-time-token.commands.ts'
import { addedMemberEmail, importedMemberEmail } from './import-invitation.emails.ts'

const LINK_DAYS = 14

export interface ImportInvitations {
  /** Queues the email in the transaction that creates the account. */
  invite(tx: Tx, accountId: string, now: number, as?: 'imported' | 'added'): Promise<void>
  emails: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingEmail | null>>
}

/** Invites imported members to choose a password: a password reset link that is valid longer. */
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
      await addToOutbox(tx, { kind: 'email.invitation', payload: { tokenId, as }, dedupeKey }, now)
    },

    emails: {
      async 'email.invitation'({ tokenId, as }) {
        const token = await startTokenLifetime(db, String(tokenId), clock.now())
        const account = token && (await findAccount(db, token.subjectId))
        if (!token || !account || account.deactivatedBy !== null) return null
        const query = new URLSearchParams({ token: secrets.token('password-reset', token.id), userId: account.id })
        const url = `${siteUrl}/reset-password?${query}`
        const { firstName, email, username } = account
        const compose = as === 'added' ? addedMemberEmail : importedMemberEmail
        return {
          ...compose({ firstName, email, username }, url, await association()),
          to: email,
          onSent: () => markTokenSent(db, token.id, clock.now()),
        }
      },
    },
  }
}
