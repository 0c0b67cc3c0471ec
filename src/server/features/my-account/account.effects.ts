import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { deactivatedEmail } from '#server/features/auth/auth.emails.ts'
import { markTokenSent, startTokenLifetime } from '#server/features/auth/one-time-token.commands.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { rightsEndAt } from '#server/features/memberships/membership.rules.ts'
import { findSubscriberByEmail } from '#server/features/newsletter/subscribers/subscriber.queries.ts'
import {
  accountDeletedEmail,
  addressRequestedEmail,
  deletionFailedEmail,
  emailChangeWarning,
  emailChangeByOfficersEmail,
  emailChangedByOfficersEmail,
  emailChangedEmail,
  emailChangeEmail,
  emailChangeStoppedEmail,
  endingFailedEmail,
} from './account.emails.ts'
import { findAccount, findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import { findEmailChange } from './email-change/email-change.queries.ts'

type Compose = (payload: Record<string, unknown>) => Promise<OutgoingEmail | null>

/** Composes emails by kind when the outbox sends them; null skips the email. Links are derived here, never stored. */
export function createAccountEmails({
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
    async 'email.email_change'({ tokenId }) {
      const token = await startTokenLifetime(db, String(tokenId), clock.now())
      const account = token && (await findAccount(db, token.subjectId))
      const change = account && (await findEmailChange(db, account.id))
      if (!token || !account || !change) return null
      const { email, askedBy } = change
      const owner = await findAccountByEmail(db, email)
      // Taken since the officers requested it: reveal nothing to the new owner.
      if (owner && askedBy !== null) return null
      if (owner) {
        const message = owner.deactivatedBy
          ? deactivatedEmail(owner.firstName, await association())
          : addressRequestedEmail(owner.firstName, `${siteUrl}/auth/login`, await association())
        return { ...message, to: owner.email }
      }
      const compose = askedBy === null ? emailChangeEmail : emailChangeByOfficersEmail
      const url = secretLink(siteUrl, '/auth/confirm-email', { token: secrets.token('email-change', token.id) })
      return {
        ...compose(account.firstName, url, await association()),
        to: email,
        onSent: () => markTokenSent(db, token.id, clock.now()),
      }
    },

    /** To the current address, for a change that officers requested; skipped if the address bounced. */
    async 'email.email_change_announced'({ tokenId }) {
      const token = await startTokenLifetime(db, String(tokenId), clock.now())
      const account = token && (await findAccount(db, token.subjectId))
      if (!token || !account) return null
      if ((await findSubscriberByEmail(db, account.email))?.state === 'bounced') return null
      const url = secretLink(siteUrl, '/auth/stop-email-change', {
        token: secrets.token('email-change-stop', token.id),
      })
      return {
        ...emailChangeWarning(account.firstName, url, await association()),
        to: account.email,
        onSent: () => markTokenSent(db, token.id, clock.now()),
      }
    },

    async 'email.email_changed'({ accountId, formerEmail, byOfficers }) {
      const account = await findAccount(db, String(accountId))
      const compose = byOfficers === true ? emailChangedByOfficersEmail : emailChangedEmail
      return account && { ...compose(account.firstName, await association()), to: String(formerEmail) }
    },

    async 'email.email_change_stopped'({ accountId, officerId, askedBy }) {
      const [account, officer, asker] = await Promise.all(
        [accountId, officerId, askedBy].map((id) => findAccount(db, String(id))),
      )
      if (!account || !officer || officer.deactivatedBy !== null) return null
      const details = {
        firstName: officer.firstName,
        member: `${account.firstName} ${account.lastName}`,
        askedBy: asker ? `${asker.firstName} ${asker.lastName}` : 'The webmaster',
      }
      const url = `${siteUrl}/console/members/${account.id}`
      return { ...emailChangeStoppedEmail(details, url, await association()), to: officer.email }
    },

    async 'email.account_deleted'({ accountId, byOfficers }) {
      const account = await findAccount(db, String(accountId))
      if (!account) return null
      const membership = await findCurrentMembership(db, account.id)
      const endsAt = membership && rightsEndAt(membership, graceMs())
      const end = endsAt === null ? null : { day: formatLongDate(endsAt, timeZone), isPast: endsAt <= clock.now() }
      const by = byOfficers === true ? 'officers' : 'owner'
      return { ...accountDeletedEmail(account.firstName, end, await association(), by), to: account.email }
    },

    /** To the officer who ended the account. */
    async 'email.ending_failed'({ accountId, officerId }) {
      const [account, officer] = await Promise.all([accountId, officerId].map((id) => findAccount(db, String(id))))
      if (!account || !officer || officer.deactivatedBy !== null) return null
      const details = { firstName: officer.firstName, member: `${account.firstName} ${account.lastName}` }
      const url = `${siteUrl}/console/members/${account.id}`
      return { ...endingFailedEmail(details, url, await association()), to: officer.email }
    },

    async 'email.deletion_failed'({ accountId }) {
      const account = await findAccount(db, String(accountId))
      if (!account) return null
      return {
        ...deletionFailedEmail(account.firstName, `${siteUrl}/auth/account`, await association()),
        to: account.email,
      }
    },
  }
}
