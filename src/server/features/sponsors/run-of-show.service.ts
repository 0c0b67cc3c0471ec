import type { Kysely } from 'kysely'
import type { listRunDays, RunItem, RunOfShow, saveRunOfShow } from '#contract/console-sponsors.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { isWhollyReturned } from '../membership/payment-return.rules.ts'
import { findRun, listRuns, removeRun, saveRun, type StoredRun, type StoredRunItem } from './run-of-show.repository.ts'
import { listPaidSponsorships, type Sponsorship } from './sponsorship.repository.ts'

const DEFAULT_START = '18:30'

type Run = Omit<RunOfShow, 'mayChange'>

export interface RunOfShowService {
  days(): Promise<ReplyOf<typeof listRunDays>>
  read(day: string): Promise<Run>
  /** @throws Problem CHANGED_MEANWHILE; INVALID_INPUT for a sponsor who was promised no remarks, or stands there twice */
  save(by: Officer, day: string, run: BodyOf<typeof saveRunOfShow>): Promise<Run>
}

export function createRunOfShowService({
  db,
  clock,
  comingEvents,
}: {
  db: Kysely<Schema>
  clock: Clock
  comingEvents(): { day: string; title: string }[]
}): RunOfShowService {
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

  /** Whoever was promised remarks, by id; whoever has the money back speaks no more. */
  async function listSpeakers(): Promise<Map<string, Sponsorship>> {
    const paid = await listPaidSponsorships(db)
    const speakers = paid.filter(
      (one) => one.remarksMinutes !== null && (one.remarksDoneAt !== null || !isWhollyReturned(one)),
    )
    return new Map(speakers.map((one) => [one.id, one]))
  }

  return {
    read,

    async days() {
      const runs = await listRuns(db)
      return { days: runs.map(({ day, items }) => ({ day, items: items.length })), events: comingEvents() }
    },

    async save(by, day, { startsAt, items, version }) {
      const speakers = await listSpeakers()
      const ids = items.flatMap(({ sponsorshipId }) => sponsorshipId ?? [])
      if (new Set(ids).size < ids.length || ids.some((id) => !speakers.has(id)))
        throw fieldProblem('items', 'Each sponsor with remarks may stand here once.')
      const run: StoredRun = { day, startsAt, version, items: items.map(toStored) }
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const before = await findRun(tx, day)
        // Nobody speaks on a day that has nothing: it needs no row.
        const isSaved =
          items.length > 0 ? await saveRun(tx, run, now) : version === 0 || (await removeRun(tx, day, version))
        if (!isSaved) throw new Problem('CHANGED_MEANWHILE')
        const told = (one: StoredRun | null) =>
          one && { startsAt: one.startsAt, order: one.items.flatMap((item) => toRunItem(item, speakers)) }
        const details = { before: told(before), after: told(items.length > 0 ? run : null) }
        await writeAudit(tx, { actor: by.accountId, action: 'run-of-show.changed', subjectId: day, details }, now)
      })
      return read(day)
    },
  }
}

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
