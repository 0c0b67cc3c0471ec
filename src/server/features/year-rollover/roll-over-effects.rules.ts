import type { ContentValue } from '#contract/console-content.ts'
import type { RollOver, RollOverPlan, RollOverStep } from '#contract/console-roll-over.ts'
import { addDays } from '#contract/days.ts'
import type { ContentForm } from '../content/content-form.ts'
import { readContentValue } from '../content/content-value.rules.ts'
import { termBefore, termOf } from './association-year.rules.ts'
import { rewritingsOf, type Years } from './roll-over-content.rules.ts'
import { obstaclesOf } from './roll-over-obstacles.rules.ts'
import { bodyAround, EXECUTIVE, recordOf, type Present } from './roll-over-present.ts'
import { describeMoves, roleMovesOf, type Ending, type Giving } from './roll-over-roles.rules.ts'

export interface Effects extends Pick<RollOver, 'labels' | 'content' | 'roles' | 'obstacles'> {
  /** Beside `content`, which tells the same in words. */
  records: { kind: string; id: string; title: string; before: ContentValue | null; after: ContentValue }[]
  givings: Giving[]
  endings: Ending[]
}

/** The terms a plan is about; `otherwise` while its days are not filled in. */
export function yearsOf({ lastDay }: Pick<RollOverPlan, 'lastDay'>, otherwise: string): Years & { firstDay: string } {
  const firstDay = lastDay === '' ? otherwise : addDays(lastDay, 1)
  const term = termOf(firstDay)
  return { term, formerTerm: termBefore(term), firstDay }
}

/** All that a plan would do, and what stands in its way. Doing it a second time would do nothing: what is there already is left out. */
export async function effectsOf(
  plan: RollOverPlan,
  present: Present,
  { years, formOf }: { years: Years; formOf(kind: string): ContentForm },
): Promise<Effects> {
  const { differencesOf } = await import('../content/content-differences.rules.ts')
  const { rewritings, labels } = rewritingsOf(plan, present, years)
  const refused: RollOver['obstacles'] = []
  const records: Effects['records'] = []
  const content: Effects['content'] = []
  for (const { kind, id, after } of rewritings) {
    const form = formOf(kind)
    const record = recordOf(present.records, kind, id)
    const before = record?.shown ?? null
    const { value, problems } = readContentValue(form, after, id)
    const title = form.title(after)
    const step = stepOf(kind, id)
    if (problems) {
      refused.push({ step, sentence: `${title}: ${sentenceOf(problems)}` })
      continue
    }
    const differences = differencesOf(form.fields, before ?? formerOf(present, kind, after, years), value)
    if (before && differences.length === 0) continue
    if (record?.isWaiting) {
      const sentence = `Somebody has a change of “${title}” that is not public. Publish it, or bring back the version before it.`
      refused.push({ step, sentence })
    }
    records.push({ kind, id, title, before, after: value })
    content.push({ title, path: `/console/content/${kind}/${id}`, isNew: before === null, differences })
  }
  const moves = roleMovesOf(plan, present)
  return {
    labels,
    content,
    records,
    ...moves,
    roles: describeMoves(moves),
    obstacles: obstaclesOf(plan, present, refused),
  }
}

/** A body that begins a term is shown beside that of the term before. */
function formerOf(present: Present, kind: string, { body }: ContentValue, { term }: Years): ContentValue | null {
  if (kind !== 'leaders') return null
  return bodyAround(present.records, String(body), term).former as ContentValue | null
}

function stepOf(kind: string, id: string): RollOverStep {
  if (kind === 'leaders') return id.startsWith(EXECUTIVE) ? 'executive' : 'boards'
  if (kind === 'committees') return 'boards'
  return kind === 'past-presidents' ? 'past' : 'labels'
}

function sentenceOf(problems: Record<string, string>): string {
  return [...new Set(Object.values(problems))].join(' ')
}
