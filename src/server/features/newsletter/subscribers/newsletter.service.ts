import type { AppContext } from '#server/app-context.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import { sendNewsletterConfirmation, sendNewsletterUnsubscribed } from './newsletter.emails.ts'
import { askToSubscribe, confirmUnsubscription } from './newsletter.effects.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { confirmSubscriber, findSubscriber, liftSuppression, upsertPendingSubscriber } from './subscriber.repository.ts'
import { findSubscriberByEmail } from './subscriber.queries.ts'
import { markUnsubscribed, suppress } from './subscriber.commands.ts'
import { readUnsubscribeToken, readConfirmationToken } from './subscription-token.service.ts'

export function createNewsletterService({ db, clock, secrets, botCheck, limiter, settings }: AppContext) {
  const hashOf = (email: string) => addressHash(secrets, email)

  async function mayEmail(email: string): Promise<boolean> {
    return (await limiter.hit('newsletterLetters', nameKey(email), settings().rateLimits.newsletterLettersPerEmail))
      .allowed
  }

  /** Processed by the outbox after the response, so that neither this call nor the next reveals the state of the address. */
  async function askToSubscribeLater(email: string, source: string): Promise<void> {
    await addToOutbox(db, { effect: askToSubscribe, payload: { email, source, at: clock.now() } }, clock.now())
  }

  /** Takes effect immediately. The owner is emailed a link to undo it. */
  async function unsubscribe(email: string): Promise<void> {
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      await suppress(tx, hashOf(email), 'left', now)
      await markUnsubscribed(tx, email, now)
      await addToOutbox(tx, { effect: confirmUnsubscription, payload: { email, at: now } }, now)
    })
  }

  return {
    /** Emails the owner of the address a confirmation link. The response and its timing are the same for every address. @throws Problem BOT_CHECK_… */
    async subscribe({
      email,
      source,
      recaptchaToken,
    }: {
      email: string
      source: string
      recaptchaToken: string | undefined
    }): Promise<void> {
      if (!settings().parts.newsletter) throw new Problem('NOT_FOUND')
      await botCheck.require(recaptchaToken, 'newsletter_subscribe')
      await askToSubscribeLater(email, source)
    },

    /** The same for a member who is logged in, without a bot check. */
    askToSubscribe: askToSubscribeLater,

    unsubscribe,

    /** Unsubscribes by the link in a newsletter. Idempotent. @throws Problem NEWSLETTER_LINK_INVALID */
    async unsubscribeByToken(token: string): Promise<void> {
      const id = readUnsubscribeToken(secrets, token)
      const subscriber = id === null ? null : await findSubscriber(db, id)
      if (!subscriber) throw new Problem('NEWSLETTER_LINK_INVALID')
      await unsubscribe(subscriber.email)
    },

    /** @throws Problem NEWSLETTER_LINK_EXPIRED for a link that is invalid, expired, or issued before the person unsubscribed */
    async confirm(token: string): Promise<void> {
      const now = clock.now()
      const link = readConfirmationToken(secrets, token, now)
      const subscriber = link && (await findSubscriber(db, link.subscriberId))
      if (!link || !subscriber) throw new Problem('NEWSLETTER_LINK_EXPIRED')
      const isConfirmed = await db.transaction().execute(async (tx) => {
        const confirmed = await confirmSubscriber(tx, { id: subscriber.id, issuedAt: link.issuedAt, now })
        if (confirmed) await liftSuppression(tx, hashOf(subscriber.email), now)
        return confirmed
      })
      if (!isConfirmed) throw new Problem('NEWSLETTER_LINK_EXPIRED')
    },

    effects: {
      async 'newsletter.asked'({ email, source, at }) {
        const now = clock.now()
        await upsertPendingSubscriber(db, { id: newId(now), email, source, now })
        const subscriber = await findSubscriberByEmail(db, email)
        if (!subscriber || !(await mayEmail(subscriber.email))) return
        await addToOutbox(
          db,
          {
            effect: sendNewsletterConfirmation,
            payload: { subscriberId: subscriber.id },
            dedupeKey: `newsletter-asked:${subscriber.id}:${at}`,
          },
          now,
        )
      },

      async 'newsletter.left'({ email, at }) {
        const subscriber = await findSubscriberByEmail(db, email)
        // No email to someone who was not subscribed or had unsubscribed before.
        if (!subscriber || subscriber.leftAt !== at) return
        if (subscriber.confirmedAt === null && subscriber.importedAt === null) return
        if (!(await mayEmail(subscriber.email))) return
        await addToOutbox(
          db,
          {
            effect: sendNewsletterUnsubscribed,
            payload: { subscriberId: subscriber.id },
            dedupeKey: `newsletter-left:${subscriber.id}:${at}`,
          },
          clock.now(),
        )
      },
    } satisfies HandlersOf<typeof askToSubscribe | typeof confirmUnsubscription>,
  }
}

export type NewsletterService = ReturnType<typeof createNewsletterService>
