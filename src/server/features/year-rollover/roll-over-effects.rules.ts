import type { ContentValue } from '#contract/console/content.ts'
import type { RollOver, RollOverPlan, RollOverStep } from '#contract/console/roll-over.ts'
import { addDays } from '#contract/dates/days.ts'
import type { EditableKind } from '#server/features/content-store/content-kind.rules.ts'
import { parseContentValue } from '#server/features/content/content-value.rules.ts'
import { termBefore, termStartingOn } from './association-year.rules.ts'
import { computeContentChanges, type TermPair } from './roll-over-content.rules.ts'
import { findObstacles } from './roll-over-obstacles.rules.ts'
import { findBodies, EXECUTIVE_COMMITTEE, recordOf, type RollOverSnapshot } from './roll-over-snapshot.rules.ts'
import {
  describeRoleChanges,
  computeRoleChanges,
  type RoleEnding,
  type RoleAssignment,
} from './roll-over-roles.rules.ts'

export interface Effects extends Pick<RollOver, 'labels' | 'content' | 'roles' | 'obstacles'> {
  /** The machine-readable form of `content`. */
  records: { kind: string; id: string; title: string; before: ContentValue | null; after: ContentValue }[]
  assignments: RoleAssignment[]
  roleEndings: RoleEnding[]
}

/** Returns the terms of a plan; uses `otherwise` while its days are empty. */
export function termsOfPlan(
  { lastDay }: Pick<RollOverPlan, 'lastDay'>,
  otherwise: string,
): TermPair & { firstDay: string } {
  const firstDay = lastDay === '' ? otherwise : addDays(lastDay, 1)
  const term = termStartingOn(firstDay)
  return { term, formerTerm: termBefore(term), firstDay }
}

/** Returns everything a plan would change, and what blocks it. Idempotent: omits changes that are already in place. */
export async function computeEffects(
  plan: RollOverPlan,
  present: RollOverSnapshot,
  { years, kindOf }: { years: TermPair; kindOf(kind: string): EditableKind },
): Promise<Effects> {
  const { diffFields: differencesOf } = await import('#server/features/content/content-diff.rules.ts')
  const { rewritings, labels } = computeContentChanges(plan, present, years)
  const refused: RollOver['obstacles'] = []
  const records: Effects['records'] = []
  const content: Effects['content'] = []
  for (const { kind, id, after } of rewritings) {
    const form = kindOf(kind)
    const record = recordOf(present.records, kind, id)
    const before = record?.published ?? null
    const { value, problems } = parseContentValue(form, after, id)
    const title = form.title(after)
    const step = stepOf(kind, id)
    if (problems) {
      refused.push({ step, sentence: `${title}: ${sentenceOf(problems)}` })
      continue
    }
    const differences = differencesOf(form.fields, before ?? formerOf(present, kind, after, years), value)
    if (before && differences.length === 0) continue
    if (record?.hasUnpublishedChanges) {
      const sentence = `“${title}” has unpublished changes. Publish them or restore the version before them.`
      refused.push({ step, sentence })
    }
    records.push({ kind, id, title, before, after: value })
    content.push({ title, path: `/console/content/${kind}/${id}`, isNew: before === null, differences })
  }
  const moves = computeRoleChanges(plan, present)
  return {
    labels,
    content,
    records,
    ...moves,
    roles: describeRoleChanges(moves),
    obstacles: findObstacles(plan, present, refused),
  }
}

/** A body of a new term is compared with that of the former term. */
function formerOf(
  present: RollOverSnapshot,
  kind: string,
  { body }: ContentValue,
  { term }: TermPair,
): ContentValue | null {
  if (kind !== 'leaders') return null
  return findBodies(present.records, String(body), term).former as ContentValue | null
}

function stepOf(kind: string, id: string): RollOverStep {
  if (kind === 'leaders') return id.startsWith(EXECUTIVE_COMMITTEE) ? 'executive' : 'boards'
  if (kind === 'committees') return 'boards'
  return kind === 'past-presidents' ? 'past' : 'labels'
}

function sentenceOf(problems: Record<string, string>): string {
  return [...new Set(Object.values(problems))].join(' ')
}
