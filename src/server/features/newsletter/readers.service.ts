import type { Kysely } from 'kysely'
import { newsletterLimits, SUBSCRIBER_STATES, type listSubscribers } from '#contract/console-newsletter.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { addressHash } from './address-hash.ts'
import type { NewsletterService } from './newsletter.service.ts'
import { countSubscribers, findSubscriber, findSubscriberPage, listSuppressed } from './subscriber.repository.ts'

/** The history names a reader by the subscriber's id, so that it holds no address of somebody who left. */
export interface ReadersService {
  page(asked: QueryOf<typeof listSubscribers>): Promise<ReplyOf<typeof listSubscribers>>
  /** The owner is asked by letter. @throws Problem SUPPRESSED */
  ask(by: Officer, email: string): Promise<void>
  /** As if the owner had left; nobody but the owner brings the address back. @throws Problem NOT_FOUND */
  takeOff(by: Officer, id: string): Promise<string>
}

export function createReadersService({
  db,
  clock,
  secrets,
  newsletter,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  newsletter: Pick<NewsletterService, 'unsubscribe'>
  wakeOutbox(): void
}): ReadersService {
  return {
    async page({ state, q, page }) {
      const limit = newsletterLimits.page
      const asked = { state, words: q?.trim() ?? '', offset: (page - 1) * limit, limit: limit + 1 }
      const [found, counts] = await Promise.all([findSubscriberPage(db, asked), countSubscribers(db)])
      return {
        subscribers: found
          .slice(0, limit)
          .map(({ id, email, source, askedAt, confirmedAt, leftAt, ...subscriber }) => ({
            id,
            email,
            source,
            state: subscriber.state,
            askedAt: new Date(askedAt).toISOString(),
            confirmedAt: confirmedAt === null ? null : new Date(confirmedAt).toISOString(),
            leftAt: leftAt === null ? null : new Date(leftAt).toISOString(),
          })),
        counts: Object.fromEntries(SUBSCRIBER_STATES.map((one) => [one, counts[one] ?? 0])) as Record<
          (typeof SUBSCRIBER_STATES)[number],
          number
        >,
        hasMore: found.length > limit,
      }
    },

    async ask(by, email) {
      const hash = addressHash(secrets, email)
      if ((await listSuppressed(db, [hash])).size > 0) throw new Problem('SUPPRESSED')
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await addToOutbox(tx, { kind: 'newsletter.asked', payload: { email, source: 'officer', at: now } }, now)
        await writeAudit(tx, { actor: by.accountId, action: 'subscriber.asked', subjectId: hash }, now)
      })
      wakeOutbox()
    },

    async takeOff(by, id) {
      const subscriber = await findSubscriber(db, id)
      if (!subscriber) throw new Problem('NOT_FOUND')
      await newsletter.unsubscribe(subscriber.email)
      const details = { before: subscriber.state, after: 'left' }
      await writeAudit(db, { actor: by.accountId, action: 'subscriber.taken-off', subjectId: id, details }, clock.now())
      return subscriber.email
    },
  }
}
