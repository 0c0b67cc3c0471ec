import type { AppContext } from '#server/app-context.ts'
import type { RollOverPlan } from '#contract/console/roll-over.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { Db } from '#server/db/database.ts'
import { listTerms, findTerm } from '#server/features/officers/officer.queries.ts'
import type { BulkContentEditor } from '#server/features/content/record-writer.service.ts'
import { contentStateOf } from '#server/features/content/content-state.rules.ts'
import { recordVersion } from '#server/features/content/content-revision.queries.ts'
import { findNextYear } from './association-year.rules.ts'
import type { RollOverResult } from './roll-over-result.rules.ts'
import {
  findBodies,
  EXECUTIVE_COMMITTEE,
  type RollOverSnapshot,
  type RecordSnapshot,
} from './roll-over-snapshot.rules.ts'
import { findActiveAccounts } from './roll-over.repository.ts'

/** Dated records keep the year they were written for. */
const EXCLUDED_KINDS = ['events', 'news']

export function createRollOverQueries(
  { clock, timeZone, settings }: AppContext,
  { content }: { content: Pick<BulkContentEditor, 'requireKind' | 'listAllRecordStates' | 'findRecordState'> },
) {
  const today = (): string => dayOf(clock.now(), timeZone)

  async function records(db: Db): Promise<RecordSnapshot[]> {
    const found: RecordSnapshot[] = []
    for (const [kind, recordStates] of await content.listAllRecordStates(db)) {
      if (EXCLUDED_KINDS.includes(kind.kind)) continue
      for (const [id, recordState] of recordStates) {
        const { published: shown, newest } = recordState
        const title = kind.title(shown ?? newest?.value ?? {})
        const state = contentStateOf(recordState)
        const isWaiting = state === 'draft' || state === 'changed' || state === 'scheduled'
        found.push({
          kind: kind.kind,
          id,
          title,
          fields: kind.fields,
          published: shown,
          hasUnpublishedChanges: isWaiting,
        })
      }
    }
    return found
  }

  return {
    today,

    /** Reads through the given handle, so that it sees changes of its transaction. */
    async snapshot(db: Db, plan: RollOverPlan | null): Promise<RollOverSnapshot> {
      const named = [...(plan?.executive ?? []), ...(plan?.grants ?? [])].flatMap(({ accountId }) => accountId ?? [])
      return {
        today: today(),
        records: await records(db),
        terms: (await listTerms(db, addDays(today(), -1))).filter(({ endedAt }) => endedAt === null),
        members: await findActiveAccounts(db, [...new Set(named)]),
      }
    },

    nextYear: (present: RollOverSnapshot): ReturnType<typeof findNextYear> =>
      findNextYear({
        today: present.today,
        beginsOn: settings().year.beginsOn,
        isThere: (term) => findBodies(present.records, EXECUTIVE_COMMITTEE, term).there !== null,
      }),

    /** Returns what has changed since a roll-over, as text. */
    async changedSince(db: Db, { records: written, given, ended }: RollOverResult): Promise<string[]> {
      const changed: string[] = []
      for (const { kind, id, title, version } of written) {
        const recordState = await content.findRecordState(db, content.requireKind(kind), id)
        if (recordVersion(recordState) !== version) changed.push(title)
      }
      for (const { termId, name, role } of given) {
        const term = await findTerm(db, termId)
        if (!term || term.endedAt !== null) changed.push(`the role of ${name} as ${role}`)
      }
      for (const { termId, name, role, endsOn, endedAt } of ended) {
        const term = await findTerm(db, termId)
        if (term?.endsOn !== endsOn || term.endedAt !== endedAt) changed.push(`the term of ${name} as ${role}`)
      }
      return changed
    },
  }
}

export type RollOverQueries = ReturnType<typeof createRollOverQueries>
