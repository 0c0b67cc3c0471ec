import type { RollOverPlan } from '#contract/console-roll-over.ts'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/platform/clock.ts'
import { listTerms, findTerm } from '../console/officer.repository.ts'
import type { ContentReading } from '../content/content-reading.ts'
import { contentForms } from '../content/content-forms.ts'
import { stateOf } from '../content/content-state.rules.ts'
import { versionOf } from '../content/content-version.ts'
import { yearToBegin } from './association-year.rules.ts'
import type { Outcome } from './roll-over-outcome.ts'
import { bodyAround, EXECUTIVE, type Present, type PresentRecord } from './roll-over-present.ts'
import { findMembers } from './roll-over.repository.ts'

/** What happened or will happen on a day of its own says so for ever. */
const UNREAD = ['events', 'news']

export interface RollOverReading {
  today(): string
  /** As the handle sees it: within a transaction, that transaction's truth. */
  present(db: Db, plan: RollOverPlan | null): Promise<Present>
  nextYear(present: Present): ReturnType<typeof yearToBegin>
  /** What of an outcome was changed since, in words. */
  changedSince(db: Db, outcome: Outcome): Promise<string[]>
}

export function createRollOverReading({
  clock,
  timeZone,
  standings,
  yearBeginsOn,
}: {
  clock: Clock
  timeZone: string
  standings: ContentReading['standings']
  yearBeginsOn(): string
}): RollOverReading {
  const today = () => dayOf(clock.now(), timeZone)

  async function records(db: Db): Promise<PresentRecord[]> {
    const found: PresentRecord[] = []
    for (const form of contentForms.filter(({ kind }) => !UNREAD.includes(kind))) {
      for (const [id, standing] of await standings(db, form)) {
        const { shown, newest } = standing
        const title = form.title(shown ?? newest?.value ?? {})
        const state = stateOf(standing)
        const isWaiting = state === 'draft' || state === 'changed' || state === 'scheduled'
        found.push({ kind: form.kind, id, title, fields: form.fields, shown, isWaiting })
      }
    }
    return found
  }

  return {
    today,

    async present(db, plan) {
      const named = [...(plan?.executive ?? []), ...(plan?.grants ?? [])].flatMap(({ accountId }) => accountId ?? [])
      return {
        today: today(),
        records: await records(db),
        terms: (await listTerms(db, addDays(today(), -1))).filter(({ endedAt }) => endedAt === null),
        members: await findMembers(db, [...new Set(named)]),
      }
    },

    nextYear: (present) =>
      yearToBegin({
        today: present.today,
        beginsOn: yearBeginsOn(),
        isThere: (term) => bodyAround(present.records, EXECUTIVE, term).there !== null,
      }),

    async changedSince(db, { records: written, given, ended }) {
      const changed: string[] = []
      for (const { kind, id, title, version } of written) {
        const form = contentForms.find((one) => one.kind === kind)
        const standing = form && (await standings(db, form)).get(id)
        if (!standing || versionOf(standing) !== version) changed.push(title)
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
