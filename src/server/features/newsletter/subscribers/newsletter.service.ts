import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { secretLink } from '#server/mail/secret-link.ts'
import type { BotCheck } from '#server/platform/bot-check.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { nameKey } from '../account/account.repository.ts'
import { addressHash } from './address-hash.ts'
import { alreadySubscribedLetter, confirmationLetter, leftLetter } from './newsletter.emails.ts'
import {
  confirmSubscriber,
  findSubscriber,
  findSubscriberByEmail,
  liftSuppression,
  markLeft,
  noteRequest,
  suppress,
} from './subscriber.repository.ts'
import { readLeaveToken, readLinkToken, writeLinkToken } from './subscription-link.ts'

type Payload = Record<string, unknown>

export interface NewsletterService {
  /** Whoever the address belongs to is asked by letter; nothing of it shows in the answer or its time. @throws Problem BOT_CHECK_… */
  subscribe(request: { email: string; source: string; recaptchaToken: string | undefined }): Promise<void>
  /** At once. A letter tells the owner, with one tap to take it back. */
  unsubscribe(email: string): Promise<void>
  /** The same by the link of a newsletter, however often. @throws Problem NEWSLETTER_LINK_INVALID */
  leave(token: string): Promise<void>
  /** @throws Problem NEWSLETTER_LINK_EXPIRED for a link that is not ours, too old, or from before the person left */
  confirm(token: string): Promise<void>
  letters: Record<string, (payload: Payload) => Promise<OutgoingLetter | null>>
  effects: Record<string, (payload: Payload) => Promise<void>>
}

export function createNewsletterService({
  db,
  clock,
  secrets,
  botCheck,
  limiter,
  letterLimit,
  siteUrl,
  association,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  botCheck: BotCheck
  limiter: RateLimiter
  /** Letters an address gets in a while, whatever is asked with it; more are left out silently. */
  letterLimit(): Limit
  siteUrl: string
  association(): Promise<Association>
}): NewsletterService {
  const hashOf = (email: string) => addressHash(secrets, email)

  function linkFor(subscriberId: string): string {
    const token = writeLinkToken(secrets, { subscriberId, issuedAt: clock.now() })
    return secretLink(siteUrl, '/newsletter/confirm', { token })
  }

  async function mayWrite(email: string): Promise<boolean> {
    return (await limiter.hit('newsletterLetters', nameKey(email), letterLimit())).allowed
  }

  async function takeOff(email: string): Promise<void> {
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      await suppress(tx, hashOf(email), 'left', now)
      await markLeft(tx, email, now)
      await addToOutbox(tx, { kind: 'newsletter.left', payload: { email, at: now } }, now)
    })
  }

  return {
    async subscribe({ email, source, recaptchaToken }) {
      await botCheck.require(recaptchaToken, 'newsletter_subscribe')
      // Decided after the answer, and not at once: the next call must not tell what this address meant.
      await addToOutbox(db, { kind: 'newsletter.asked', payload: { email, source, at: clock.now() } }, clock.now())
    },

    unsubscribe: takeOff,

    async leave(token) {
      const id = readLeaveToken(secrets, token)
      const subscriber = id === null ? null : await findSubscriber(db, id)
      if (!subscriber) throw new Problem('NEWSLETTER_LINK_INVALID')
      await takeOff(subscriber.email)
    },

    async confirm(token) {
      const now = clock.now()
      const link = readLinkToken(secrets, token, now)
      const subscriber = link && (await findSubscriber(db, link.subscriberId))
      if (!link || !subscriber) throw new Problem('NEWSLETTER_LINK_EXPIRED')
      const isIn = await db.transaction().execute(async (tx) => {
        const confirmed = await confirmSubscriber(tx, { id: subscriber.id, issuedAt: link.issuedAt, now })
        if (confirmed) await liftSuppression(tx, hashOf(subscriber.email))
        return confirmed
      })
      if (!isIn) throw new Problem('NEWSLETTER_LINK_EXPIRED')
    },

    effects: {
      async 'newsletter.asked'({ email, source, at }) {
        const now = clock.now()
        await noteRequest(db, { id: newId(now), email: String(email), source: String(source), now })
        const subscriber = await findSubscriberByEmail(db, String(email))
        if (!subscriber || !(await mayWrite(subscriber.email))) return
        await addToOutbox(
          db,
          {
            kind: 'letter.newsletter_asked',
            payload: { subscriberId: subscriber.id },
            dedupeKey: `newsletter-asked:${subscriber.id}:${String(at)}`,
          },
          now,
        )
      },

      async 'newsletter.left'({ email, at }) {
        const subscriber = await findSubscriberByEmail(db, String(email))
        // Somebody who was not on the list, or left before, hears nothing.
        if (!subscriber || subscriber.leftAt !== at) return
        if (subscriber.confirmedAt === null && !subscriber.imported) return
        if (!(await mayWrite(subscriber.email))) return
        await addToOutbox(
          db,
          {
            kind: 'letter.newsletter_left',
            payload: { subscriberId: subscriber.id },
            dedupeKey: `newsletter-left:${subscriber.id}:${String(at)}`,
          },
          clock.now(),
        )
      },
    },

    letters: {
      async 'letter.newsletter_asked'({ subscriberId }) {
        const subscriber = await findSubscriber(db, String(subscriberId))
        if (!subscriber) return null
        const letter =
          subscriber.state === 'subscribed'
            ? alreadySubscribedLetter(`${siteUrl}/newsletter/unsubscribe`, await association())
            : confirmationLetter(linkFor(subscriber.id), await association())
        return { ...letter, to: subscriber.email }
      },

      async 'letter.newsletter_left'({ subscriberId }) {
        const subscriber = await findSubscriber(db, String(subscriberId))
        if (subscriber?.state !== 'left') return null
        return { ...leftLetter(linkFor(subscriber.id), await association()), to: subscriber.email }
      },
    },
  }
}
