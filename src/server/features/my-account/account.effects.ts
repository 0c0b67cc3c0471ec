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
import { findSubscriberByEmail } from '../newsletter/subscriber.repository.ts'
import {
  accountDeletedLetter,
  addressWantedLetter,
  deletionFailedLetter,
  emailChangeAnnouncedEmail,
  emailChangeByOfficersEmail,
  emailChangedByOfficersEmail,
  emailChangedLetter,
  emailChangeLetter,
  emailChangeStoppedEmail,
  endingFailedEmail,
} from './account.emails.ts'
import { findAccount, findAccountByEmail } from './account.repository.ts'
import { findEmailChange } from './email-change.repository.ts'

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
      const change = account && (await findEmailChange(db, account.id))
      if (!token || !account || !change) return null
      const { email, askedBy } = change
      const owner = await findAccountByEmail(db, email)
      // Officers were told that it is taken when they asked; whoever took it since need not hear of it.
      if (owner && askedBy !== null) return null
      if (owner) {
        const note = owner.deactivatedBy
          ? deactivatedLetter(owner.firstName, await association())
          : addressWantedLetter(owner.firstName, `${siteUrl}/auth/login`, await association())
        return { ...note, to: owner.email }
      }
      const compose = askedBy === null ? emailChangeLetter : emailChangeByOfficersEmail
      const url = secretLink(siteUrl, '/auth/confirm-email', { token: secrets.token('email-change', token.id) })
      return {
        ...compose(account.firstName, url, await association()),
        to: email,
        onSent: () => markTokenSent(db, token.id, clock.now()),
      }
    },

    /** To the present address, where officers asked for another one; not to one from which mail came back. */
    async 'letter.email_change_announced'({ tokenId }) {
      const token = await takeTokenToSend(db, String(tokenId), clock.now())
      const account = token && (await findAccount(db, token.subjectId))
      if (!token || !account) return null
      if ((await findSubscriberByEmail(db, account.email))?.state === 'bounced') return null
      const url = secretLink(siteUrl, '/auth/stop-email-change', {
        token: secrets.token('email-change-stop', token.id),
      })
      return {
        ...emailChangeAnnouncedEmail(account.firstName, url, await association()),
        to: account.email,
        onSent: () => markTokenSent(db, token.id, clock.now()),
      }
    },

    async 'letter.email_changed'({ accountId, formerEmail, byOfficers }) {
      const account = await findAccount(db, String(accountId))
      const compose = byOfficers === true ? emailChangedByOfficersEmail : emailChangedLetter
      return account && { ...compose(account.firstName, await association()), to: String(formerEmail) }
    },

    async 'letter.email_change_stopped'({ accountId, officerId, askedBy }) {
      const [account, officer, asker] = await Promise.all(
        [accountId, officerId, askedBy].map((id) => findAccount(db, String(id))),
      )
      if (!account || !officer || officer.deactivatedBy !== null) return null
      const words = {
        firstName: officer.firstName,
        member: `${account.firstName} ${account.lastName}`,
        askedBy: asker ? `${asker.firstName} ${asker.lastName}` : 'The webmaster',
      }
      const url = `${siteUrl}/console/members/${account.id}`
      return { ...emailChangeStoppedEmail(words, url, await association()), to: officer.email }
    },

    async 'letter.account_deleted'({ accountId, byOfficers }) {
      const account = await findAccount(db, String(accountId))
      if (!account) return null
      const membership = await findCurrentMembership(db, account.id)
      const endsAt = membership && rightsEndAt(membership, graceMs())
      const end = endsAt === null ? null : { day: formatLongDate(endsAt, timeZone), isPast: endsAt <= clock.now() }
      const by = byOfficers === true ? 'officers' : 'owner'
      return { ...accountDeletedLetter(account.firstName, end, await association(), by), to: account.email }
    },

    /** To the officer who asked for it. */
    async 'letter.ending_failed'({ accountId, officerId }) {
      const [account, officer] = await Promise.all([accountId, officerId].map((id) => findAccount(db, String(id))))
      if (!account || !officer || officer.deactivatedBy !== null) return null
      const words = { firstName: officer.firstName, member: `${account.firstName} ${account.lastName}` }
      const url = `${siteUrl}/console/members/${account.id}`
      return { ...endingFailedEmail(words, url, await association()), to: officer.email }
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
