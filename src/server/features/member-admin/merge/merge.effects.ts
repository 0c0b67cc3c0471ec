import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { accountsMergedEmail, mergeUndoneEmail } from './merge.emails.ts'

/** Emails about a merge and its undo, to the addresses at that time. */
export function createMergeEmails({
  db,
  siteUrl,
  association,
}: {
  db: Kysely<Schema>
  siteUrl: string
  association(): Promise<Association>
}): Record<string, (payload: Record<string, unknown>) => Promise<OutgoingEmail | null>> {
  const loginUrl = `${siteUrl}/auth/login`
  const resetUrl = `${siteUrl}/reset-password`
  return {
    async 'email.accounts_merged'({ accountId, to, keptAddress, mergedAddress }) {
      const account = await findAccount(db, String(accountId))
      if (!account) return null
      const addresses = { keptAddress: String(keptAddress), mergedAddress: String(mergedAddress) }
      const email = accountsMergedEmail({ firstName: account.firstName, ...addresses }, loginUrl, await association())
      return { ...email, to: String(to) }
    },

    async 'email.accounts_separated'({ accountId, to, needsPassword }) {
      const account = await findAccount(db, String(accountId))
      if (!account) return null
      const content = { firstName: account.firstName, address: String(to), needsPassword: needsPassword === true }
      return { ...mergeUndoneEmail(content, { loginUrl, resetUrl }, await association()), to: String(to) }
    },
  }
}
