import type { AppContext } from '#server/app-context.ts'
import type { listRunDays, RunItem, RunOfShow, saveRunOfShow } from '#contract/console/sponsors.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { isFullyRefunded } from '#server/features/orders/payments/refunded-amount.rules.ts'
import { findRun, listRuns, removeRun, saveRun, type StoredRun, type StoredRunItem } from './run-of-show.repository.ts'
import { listPaidSponsorships } from './orders/sponsorship.repository.ts'
import { type Sponsorship } from './orders/sponsorship.queries.ts'

const DEFAULT_START = '18:30'

type Run = Omit<RunOfShow, 'mayChange'>

export function createRunOfShowService({ db, clock, cache }: AppContext) {
  const comingEvents = () =>
    [...cache.content().events.values()]
      .filter(({ startsOn }) => startsOn !== null && startsOn >= cache.today())
      .map(({ startsOn, title }) => ({ day: startsOn ?? '', title }))

  async function read(day: string): Promise<Run> {
    const [run, runs, speakers] = await Promise.all([findRun(db, day), listRuns(db), listSpeakers()])
    const placed = new Set(runs.flatMap(({ items }) => items.map(({ sponsorshipId }) => sponsorshipId)))
    const waiting = [...speakers.values()].filter(({ id, remarksDoneAt }) => remarksDoneAt === null && !placed.has(id))
    return {
      day,
      startsAt: run?.startsAt ?? DEFAULT_START,
      items: (run?.items ?? []).flatMap((item) => toRunItem(item, speakers)),
      version: run?.version ?? 0,
      waiting: waiting.map(speakerItem),
    }
  }

  /** Sponsors with remarks, by id; fully refunded ones no longer speak. */
  async function listSpeakers(): Promise<Map<string, Sponsorship>> {
    const paid = await listPaidSponsorships(db)
    const speakers = paid.filter(
      (one) => one.remarksMinutes !== null && (one.remarksDoneAt !== null || !isFullyRefunded(one)),
    )
    return new Map(speakers.map((one) => [one.id, one]))
  }

  return {
    read,

    async days(): Promise<ReplyOf<typeof listRunDays>> {
      const runs = await listRuns(db)
      return { days: runs.map(({ day, items }) => ({ day, items: items.length })), events: comingEvents() }
    },

    /** @throws Problem CHANGED_MEANWHILE; INVALID_INPUT for a sponsor without remarks, or one listed twice */
    async save(by: Officer, day: string, { startsAt, items, version }: BodyOf<typeof saveRunOfShow>): Promise<Run> {
      const speakers = await listSpeakers()
      const ids = items.flatMap(({ sponsorshipId }) => sponsorshipId ?? [])
      if (new Set(ids).size < ids.length || ids.some((id) => !speakers.has(id)))
        throw fieldProblem('items', 'Each sponsor with remarks can be listed only once.')
      const run: StoredRun = { day, startsAt, version, items: items.map(toStored) }
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const before = await findRun(tx, day)
        // A day without items needs no row.
        const isSaved =
          items.length > 0 ? await saveRun(tx, run, now) : version === 0 || (await removeRun(tx, day, version))
        if (!isSaved) throw new Problem('CHANGED_MEANWHILE')
        const auditFields = (one: StoredRun | null) =>
          one && { startsAt: one.startsAt, order: one.items.flatMap((item) => toRunItem(item, speakers)) }
        const details = { before: auditFields(before), after: auditFields(items.length > 0 ? run : null) }
        await writeAudit(tx, { actor: by.accountId, action: 'run-of-show.changed', subjectId: day, details }, now)
      })
      return read(day)
    },
  }
}

export type RunOfShowService = ReturnType<typeof createRunOfShowService>

function toStored({ sponsorshipId, title, minutes }: RunItem): StoredRunItem {
  return sponsorshipId === null ? { sponsorshipId, title, minutes } : { sponsorshipId }
}

function toRunItem(item: StoredRunItem, speakers: ReadonlyMap<string, Sponsorship>): RunItem[] {
  if (item.sponsorshipId === null) return [item]
  const speaker = speakers.get(item.sponsorshipId)
  return speaker ? [speakerItem(speaker)] : []
}

function speakerItem({ id, company, name, remarksMinutes }: Sponsorship): RunItem {
  return { sponsorshipId: id, title: `${company}, ${name}`, minutes: remarksMinutes ?? 0 }
}
