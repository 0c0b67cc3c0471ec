import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { findAccount } from '../account/account.repository.ts'
import { accountsMergedLetter, accountsSeparatedLetter } from './merge.emails.ts'

/** What both owners read about a merge and its undoing, at the addresses they had then. */
export function createMergeLetters({
  db,
  siteUrl,
  association,
}: {
  db: Kysely<Schema>
  siteUrl: string
  association(): Promise<Association>
}): Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>> {
  const loginUrl = `${siteUrl}/auth/login`
  const resetUrl = `${siteUrl}/reset-password`
  return {
    async 'letter.accounts_merged'({ accountId, to, keptAddress, mergedAddress }) {
      const account = await findAccount(db, String(accountId))
      if (!account) return null
      const addresses = { keptAddress: String(keptAddress), mergedAddress: String(mergedAddress) }
      const letter = accountsMergedLetter({ firstName: account.firstName, ...addresses }, loginUrl, await association())
      return { ...letter, to: String(to) }
    },

    async 'letter.accounts_separated'({ accountId, to, needsPassword }) {
      const account = await findAccount(db, String(accountId))
      if (!account) return null
      const words = { firstName: account.firstName, address: String(to), needsPassword: needsPassword === true }
      return { ...accountsSeparatedLetter(words, { loginUrl, resetUrl }, await association()), to: String(to) }
    },
  }
}
