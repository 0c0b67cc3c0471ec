import type { AppContext } from '#server/app-context.ts'
import { createHash } from 'node:crypto'
import { INVALID_ROWS_SHOWN } from '#contract/console/import.ts'
import {
  SUBSCRIBER_STATES,
  type exportSubscribers,
  type listSubscribers,
  type SubscriberFile,
  type WholeList,
} from '#contract/console/subscribers.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { countCell, writeCsv, writeLongCsv } from '#server/lib/csv/csv.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { askToSubscribe } from './newsletter.effects.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import type { NewsletterService } from './newsletter.service.ts'
import {
  applySubscriberImport,
  countReaders,
  judgeSubscribers,
  parseSubscriberImport,
  type SubscriberImport,
} from '../import/subscriber-import.service.ts'
import { createSubscriberUndo } from '../import/subscriber-undo.service.ts'
import { verdictSentence } from '../import/subscriber-verdict.rules.ts'
import { countSubscriberPage, countSubscribers, findSubscriber, findSubscriberPage } from './subscriber.repository.ts'
import { listSuppressed } from './subscriber.queries.ts'

const EXPORT_MAX = 100_000

/** The audit log refers to subscribers by id, so that it never holds the address of someone who unsubscribed. */
export function createSubscribersService(
  ctx: AppContext,
  {
    newsletter,
  }: {
    newsletter: Pick<NewsletterService, 'unsubscribe'>
  },
) {
  const { db, clock, secrets, timeZone, wakeOutbox } = ctx

  interface Given {
    filename: string
    list: WholeList
  }

  function read(bytes: Uint8Array, given: Given): SubscriberImport {
    try {
      return parseSubscriberImport(bytes, dayOf(clock.now(), timeZone), given)
    } catch (error) {
      throw fieldProblem('file', (error as Error).message)
    }
  }
  const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

  return {
    /** Earlier imports, and their undo. */
    imports: createSubscriberUndo(ctx),

    async list({ state, q, page, size }: QueryOf<typeof listSubscribers>): Promise<ReplyOf<typeof listSubscribers>> {
      const search = { state, searchText: q?.trim() ?? '' }
      const [found, counts, total] = await Promise.all([
        findSubscriberPage(db, { ...search, offset: (page - 1) * size, limit: size }),
        countSubscribers(db),
        countSubscriberPage(db, search),
      ])
      return {
        subscribers: found.map(
          ({
            id,
            email,
            source,
            askedAt,
            confirmedAt,
            leftAt,
            importedAt,
            consentOn,
            consentSource,
            ...subscriber
          }) => ({
            id,
            email,
            source,
            state: subscriber.state,
            askedAt: new Date(askedAt).toISOString(),
            confirmedAt: confirmedAt === null ? null : new Date(confirmedAt).toISOString(),
            leftAt: leftAt === null ? null : new Date(leftAt).toISOString(),
            imported: importedAt === null ? null : { at: new Date(importedAt).toISOString(), consentOn, consentSource },
          }),
        ),
        counts: Object.fromEntries(SUBSCRIBER_STATES.map((one) => [one, counts[one] ?? 0])) as Record<
          (typeof SUBSCRIBER_STATES)[number],
          number
        >,
        total,
      }
    },

    /** With the consent as it was recorded. The audit log has the number of addresses only. */
    async export(by: Officer, { state, q }: QueryOf<typeof exportSubscribers>): Promise<ServedFile> {
      const search = { state, searchText: q?.trim() ?? '', offset: 0, limit: EXPORT_MAX }
      const found = await findSubscriberPage(db, search)
      const details = { before: null, after: { rows: found.length, state } }
      const entry = { actor: by.accountId, action: 'subscribers.exported' as const, subjectId: '', details }
      await writeAudit(db, entry, clock.now())
      const day = (instant: number | null) => (instant === null ? '' : dayOf(instant, timeZone))
      const rows = found.map((one) => [
        one.email,
        one.state,
        one.source,
        day(one.askedAt),
        day(one.confirmedAt),
        one.consentOn ?? '',
        one.consentSource ?? '',
        day(one.importedAt),
        day(one.leftAt),
      ])
      const head = [
        'Email',
        'State',
        'Source',
        'Asked on',
        'Confirmed on',
        'Consent on',
        'Consent source',
        'Imported on',
        'Left on',
      ]
      return { filename: `subscribers-${state}.csv`, content: await writeLongCsv([head, ...rows]) }
    },

    /** Emails the owner a confirmation link. @throws Problem SUPPRESSED */
    async invite(by: Officer, email: string): Promise<void> {
      const hash = addressHash(secrets, email)
      if ((await listSuppressed(db, [hash])).size > 0) throw new Problem('SUPPRESSED')
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await addToOutbox(tx, { effect: askToSubscribe, payload: { email, source: 'officer', at: now } }, now)
        await writeAudit(tx, { actor: by.accountId, action: 'subscriber.asked', subjectId: hash }, now)
      })
      wakeOutbox()
    },

    /** A dry run of an import. @throws Problem INVALID_INPUT with a message for the file */
    async check(given: Given, bytes: Uint8Array): Promise<SubscriberFile> {
      const list = read(bytes, given)
      const judged = await judgeSubscribers(db, list, { secrets, timeZone })
      const rows = [
        ...judged.map(({ line, email, verdict, status }) => ({
          line,
          email,
          sentence: verdictSentence(verdict, status),
        })),
        ...list.invalidRows.map(({ line, cell, sentence }) => ({
          line,
          email: cell,
          sentence: `Is skipped. ${sentence}`,
        })),
      ].toSorted((one, other) => one.line - other.line)
      const head = ['Line', 'Email', 'Result']
      return {
        digest: digestOf(bytes),
        system: list.system,
        counts: countReaders(judged, list.invalidRows.length),
        verdicts: writeCsv([head, ...rows.map(({ line, email, sentence }) => [countCell(line), email, sentence])]),
        wrong: list.invalidRows.slice(0, INVALID_ROWS_SHOWN),
      }
    },

    /** Imports a list whose digest matches the checked file. @throws Problem INVALID_INPUT, CHANGED_MEANWHILE */
    async import(
      by: Officer,
      { digest, ...given }: Given & { digest: string },
      bytes: Uint8Array,
    ): Promise<SubscriberFile> {
      if (digestOf(bytes) !== digest) throw new Problem('CHANGED_MEANWHILE')
      const list = read(bytes, given)
      const options = { actor: by.accountId, filename: given.filename, secrets, timeZone, now: clock.now() }
      const counts = await db.transaction().execute((tx) => applySubscriberImport(tx, list, options))
      const wrong = list.invalidRows.slice(0, INVALID_ROWS_SHOWN)
      return { digest, system: list.system, counts, verdicts: '', wrong }
    },

    /** Unsubscribes; only the owner can subscribe the address again. @throws Problem NOT_FOUND */
    async unsubscribe(by: Officer, id: string): Promise<string> {
      const subscriber = await findSubscriber(db, id)
      if (!subscriber) throw new Problem('NOT_FOUND')
      await newsletter.unsubscribe(subscriber.email)
      const details = { before: subscriber.state, after: 'left' }
      await writeAudit(db, { actor: by.accountId, action: 'subscriber.taken-off', subjectId: id, details }, clock.now())
      return subscriber.email
    },
  }
}

export type SubscribersService = ReturnType<typeof createSubscribersService>
