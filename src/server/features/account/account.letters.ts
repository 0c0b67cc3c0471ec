import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import { formatLongDate } from '#contract/dates.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { secretLink } from '#server/mail/secret-link.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { deactivatedLetter } from '../auth/auth.emails.ts'
import { markTokenSent, takeTokenToSend } from '../auth/one-time-token.repository.ts'
import { findCurrentMembership } from '../membership/membership.repository.ts'
import { rightsEndAt } from '../membership/membership.rules.ts'
import {
  accountDeletedLetter,
  addressWantedLetter,
  deletionFailedLetter,
  emailChangedLetter,
  emailChangeLetter,
} from './account.emails.ts'
import { findAccount, findAccountByEmail } from './account.repository.ts'
import { findWantedEmail } from './email-change.repository.ts'

type Compose = (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>

/** Composes by kind when the outbox sends; null when there is no longer anything to say. Links are derived here, never stored. */
export function createAccountLetters({
  db,
  secrets,
  siteUrl,
  timeZone,
  clock,
  graceMs,
  association,
}: {
  db: Kysely<Schema>
  clock: Clock
  graceMs(): number
  secrets: Secrets
  siteUrl: string
  timeZone: string
  association(): Promise<Association>
}): Record<string, Compose> {
  return {
    async 'letter.email_change'({ tokenId }) {
      const token = await takeTokenToSend(db, String(tokenId), clock.now())
      const account = token && (await findAccount(db, token.subjectId))
      const email = account && (await findWantedEmail(db, account.id))
      if (!token || !account || !email) return null
      const owner = await findAccountByEmail(db, email)
      if (owner) {
        const note = owner.deactivatedBy
          ? deactivatedLetter(owner.firstName, await association())
          : addressWantedLetter(owner.firstName, `${siteUrl}/auth/login`, await association())
        return { ...note, to: owner.email }
      }
      const url = secretLink(siteUrl, '/auth/confirm-email', { token: secrets.token('email-change', token.id) })
      return {
        ...emailChangeLetter(account.firstName, url, await association()),
        to: email,
        onSent: () => markTokenSent(db, token.id, clock.now()),
      }
    },

    async 'letter.email_changed'({ accountId, formerEmail }) {
      const account = await findAccount(db, String(accountId))
      return account && { ...emailChangedLetter(account.firstName, await association()), to: String(formerEmail) }
    },

    async 'letter.account_deleted'({ accountId }) {
      const account = await findAccount(db, String(accountId))
      if (!account) return null
      const membership = await findCurrentMembership(db, account.id)
      const endsAt = membership && rightsEndAt(membership, graceMs())
      const end = endsAt === null ? null : { day: formatLongDate(endsAt, timeZone), isPast: endsAt <= clock.now() }
      return { ...accountDeletedLetter(account.firstName, end, await association()), to: account.email }
    },

    async 'letter.deletion_failed'({ accountId }) {
      const account = await findAccount(db, String(accountId))
      if (!account) return null
      return {
        ...deletionFailedLetter(account.firstName, `${siteUrl}/auth/account`, await association()),
        to: account.email,
      }
    },
  }
}
