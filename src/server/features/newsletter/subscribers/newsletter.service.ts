import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import type { BotCheck } from '#server/limits/bot-check.ts'
import type { Clock } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Limit, RateLimiter } from '#server/limits/rate-limiter.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import { alreadySubscribedEmail, confirmationEmail, unsubscribedEmail } from './newsletter.emails.ts'
import { confirmSubscriber, findSubscriber, liftSuppression, upsertPendingSubscriber } from './subscriber.repository.ts'
import { findSubscriberByEmail } from './subscriber.queries.ts'
import { markUnsubscribed, suppress } from './subscriber.commands.ts'
import { readUnsubscribeToken, readConfirmationToken, createConfirmationToken } from './subscription-token.service.ts'

type Payload = Record<string, unknown>

export interface NewsletterService {
  /** Emails the owner of the address a confirmation link. The response and its timing are the same for every address. @throws Problem BOT_CHECK_… */
  subscribe(request: { email: string; source: string; recaptchaToken: string | undefined }): Promise<void>
  /** Takes effect immediately. The owner is emailed a link to undo it. */
  unsubscribe(email: string): Promise<void>
  /** Unsubscribes by the link in a newsletter. Idempotent. @throws Problem NEWSLETTER_LINK_INVALID */
  unsubscribeByToken(token: string): Promise<void>
  /** @throws Problem NEWSLETTER_LINK_EXPIRED for a link that is invalid, expired, or issued before the person unsubscribed */
  confirm(token: string): Promise<void>
  emails: Record<string, (payload: Payload) => Promise<OutgoingEmail | null>>
  effects: Record<string, (payload: Payload) => Promise<void>>
}

export function createNewsletterService({
  db,
  clock,
  secrets,
  botCheck,
  limiter,
  emailLimit,
  siteUrl,
  association,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  botCheck: BotCheck
  limiter: RateLimiter
  /** The rate limit of emails per address; emails over it are dropped silently. */
  emailLimit(): Limit
  siteUrl: string
  association(): Promise<Association>
}): NewsletterService {
  const hashOf = (email: string) => addressHash(secrets, email)

  function linkFor(subscriberId: string): string {
    const token = createConfirmationToken(secrets, { subscriberId, issuedAt: clock.now() })
    return secretLink(siteUrl, '/newsletter/confirm', { token })
  }

  async function mayEmail(email: string): Promise<boolean> {
    return (await limiter.hit('newsletterLetters', nameKey(email), emailLimit())).allowed
  }

  async function unsubscribe(email: string): Promise<void> {
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      await suppress(tx, hashOf(email), 'left', now)
      await markUnsubscribed(tx, email, now)
      await addToOutbox(tx, { kind: 'newsletter.left', payload: { email, at: now } }, now)
    })
  }

  return {
    async subscribe({ email, source, recaptchaToken }) {
      await botCheck.require(recaptchaToken, 'newsletter_subscribe')
      // Processed by the outbox after the response, so that neither this call nor the next reveals the state of the address.
      await addToOutbox(db, { kind: 'newsletter.asked', payload: { email, source, at: clock.now() } }, clock.now())
    },

    unsubscribe,

    async unsubscribeByToken(token) {
      const id = readUnsubscribeToken(secrets, token)
      const subscriber = id === null ? null : await findSubscriber(db, id)
      if (!subscriber) throw new Problem('NEWSLETTER_LINK_INVALID')
      await unsubscribe(subscriber.email)
    },

    async confirm(token) {
      const now = clock.now()
      const link = readConfirmationToken(secrets, token, now)
      const subscriber = link && (await findSubscriber(db, link.subscriberId))
      if (!link || !subscriber) throw new Problem('NEWSLETTER_LINK_EXPIRED')
      const isConfirmed = await db.transaction().execute(async (tx) => {
        const confirmed = await confirmSubscriber(tx, { id: subscriber.id, issuedAt: link.issuedAt, now })
        if (confirmed) await liftSuppression(tx, hashOf(subscriber.email))
        return confirmed
      })
      if (!isConfirmed) throw new Problem('NEWSLETTER_LINK_EXPIRED')
    },

    effects: {
      async 'newsletter.asked'({ email, source, at }) {
        const now = clock.now()
        await upsertPendingSubscriber(db, { id: newId(now), email: String(email), source: String(source), now })
        const subscriber = await findSubscriberByEmail(db, String(email))
        if (!subscriber || !(await mayEmail(subscriber.email))) return
        await addToOutbox(
          db,
          {
            kind: 'email.newsletter_confirmation',
            payload: { subscriberId: subscriber.id },
            dedupeKey: `newsletter-asked:${subscriber.id}:${String(at)}`,
          },
          now,
        )
      },

      async 'newsletter.left'({ email, at }) {
        const subscriber = await findSubscriberByEmail(db, String(email))
        // No email to someone who was not subscribed or had unsubscribed before.
        if (!subscriber || subscriber.unsubscribedAt !== at) return
        if (subscriber.confirmedAt === null && !subscriber.imported) return
        if (!(await mayEmail(subscriber.email))) return
        await addToOutbox(
          db,
          {
            kind: 'email.newsletter_unsubscribed',
            payload: { subscriberId: subscriber.id },
            dedupeKey: `newsletter-left:${subscriber.id}:${String(at)}`,
          },
          clock.now(),
        )
      },
    },

    emails: {
      async 'email.newsletter_confirmation'({ subscriberId }) {
        const subscriber = await findSubscriber(db, String(subscriberId))
        if (!subscriber) return null
        const message =
          subscriber.state === 'subscribed'
            ? alreadySubscribedEmail(`${siteUrl}/newsletter/unsubscribe`, await association())
            : confirmationEmail(linkFor(subscriber.id), await association())
        return { ...message, to: subscriber.email }
      },

      async 'email.newsletter_unsubscribed'({ subscriberId }) {
        const subscriber = await findSubscriber(db, String(subscriberId))
        if (subscriber?.state !== 'left') return null
        return { ...unsubscribedEmail(linkFor(subscriber.id), await association()), to: subscriber.email }
      },
    },
  }
}
