import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { WRONG_ROWS_SHOWN } from '#contract/console-import.ts'
import {
  newsletterLimits,
  SUBSCRIBER_STATES,
  type listSubscribers,
  type ReaderFile,
} from '#contract/console-newsletter.ts'
import { dayOf } from '#contract/dates.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { addressHash } from './address-hash.ts'
import type { NewsletterService } from './newsletter.service.ts'
import { compareReaders, importReaders, readReaderList, type ReaderList } from './subscriber-import.ts'
import { countSubscribers, findSubscriber, findSubscriberPage, listSuppressed } from './subscriber.repository.ts'

/** The history names a reader by the subscriber's id, so that it holds no address of somebody who left. */
export interface ReadersService {
  page(asked: QueryOf<typeof listSubscribers>): Promise<ReplyOf<typeof listSubscribers>>
  /** The owner is asked by letter. @throws Problem SUPPRESSED */
  ask(by: Officer, email: string): Promise<void>
  /** What a list would add, and adds nothing. @throws Problem INVALID_INPUT with a sentence for the file */
  check(bytes: Uint8Array): Promise<ReaderFile>
  /** Adds what a list holds, once its digest is that of the one looked at. @throws Problem INVALID_INPUT, CHANGED_MEANWHILE */
  import(by: Officer, file: { filename: string; digest: string }, bytes: Uint8Array): Promise<ReaderFile>
  /** As if the owner had left; nobody but the owner brings the address back. @throws Problem NOT_FOUND */
  takeOff(by: Officer, id: string): Promise<string>
}

export function createReadersService({
  db,
  clock,
  secrets,
  newsletter,
  timeZone,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  newsletter: Pick<NewsletterService, 'unsubscribe'>
  timeZone: string
  wakeOutbox(): void
}): ReadersService {
  function read(bytes: Uint8Array): ReaderList {
    try {
      return readReaderList(bytes, dayOf(clock.now(), timeZone))
    } catch (error) {
      throw fieldProblem('file', (error as Error).message)
    }
  }
  const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

  return {
    async page({ state, q, page }) {
      const limit = newsletterLimits.page
      const asked = { state, words: q?.trim() ?? '', offset: (page - 1) * limit, limit: limit + 1 }
      const [found, counts] = await Promise.all([findSubscriberPage(db, asked), countSubscribers(db)])
      return {
        subscribers: found
          .slice(0, limit)
          .map(({ id, email, source, askedAt, confirmedAt, leftAt, imported, ...subscriber }) => ({
            id,
            email,
            source,
            state: subscriber.state,
            askedAt: new Date(askedAt).toISOString(),
            confirmedAt: confirmedAt === null ? null : new Date(confirmedAt).toISOString(),
            leftAt: leftAt === null ? null : new Date(leftAt).toISOString(),
            imported: imported ? { ...imported, at: new Date(imported.at).toISOString() } : null,
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

    async check(bytes) {
      const list = read(bytes)
      const { counts } = await compareReaders(db, list, secrets)
      return { digest: digestOf(bytes), counts, wrong: list.wrong.slice(0, WRONG_ROWS_SHOWN) }
    },

    async import(by, { filename, digest }, bytes) {
      if (digestOf(bytes) !== digest) throw new Problem('CHANGED_MEANWHILE')
      const list = read(bytes)
      const wanted = { actor: by.accountId, filename, secrets, now: clock.now() }
      const counts = await db.transaction().execute((tx) => importReaders(tx, list, wanted))
      return { digest, counts, wrong: list.wrong.slice(0, WRONG_ROWS_SHOWN) }
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
