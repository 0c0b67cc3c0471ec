import type { ContentValue } from '#contract/console/content.ts'
import type { RollOverLabel, RollOverPlan } from '#contract/console/roll-over.ts'
import { updateCount } from './count-text.rules.ts'
import {
  committeesOf,
  detailsOf,
  findBodies,
  namesOfBodies,
  EXECUTIVE_COMMITTEE,
  pastPresidentsOf,
  type Body,
  type RollOverSnapshot,
} from './roll-over-snapshot.rules.ts'
import { excerpts, updateYear, collectTexts, withText } from './year-labels.rules.ts'

/** A record and its new value. */
export interface ContentChange {
  kind: string
  id: string
  after: ContentValue
}

export interface TermPair {
  /** The new term and the one before it. */
  term: string
  formerTerm: string
}

/** Records of a past year keep its label; bodies and lists of people have their own steps. */
const EXCLUDED_KINDS = ['events', 'news', 'leaders', 'committees', 'past-presidents']

/** Returns the content changes of a plan, record by record, and every label that mentions the year. */
export function computeContentChanges(
  plan: RollOverPlan,
  present: RollOverSnapshot,
  years: TermPair,
): { rewritings: ContentChange[]; labels: RollOverLabel[] } {
  const labels: RollOverLabel[] = []
  const names = namesOfBodies(present.records)
  const executive = plan.executive.map(({ office, name, location }) => ({ name, role: office, location }))
  const bodies = [
    { body: EXECUTIVE_COMMITTEE, people: executive.filter(({ name }) => name !== '') } as const,
    ...plan.boards.filter(({ isRenewed }) => isRenewed),
  ].map(({ body, people }) => {
    const { former, there } = findBodies(present.records, body, years.term)
    const heading = there ?? headingOf(former, { body, name: names[body], count: people.length, plan, labels, years })
    const members = people.map(({ name: who, role, location }) => ({
      name: who,
      ...(role && { role }),
      ...(location && { location }),
      ...detailsOf(present.records, body, who),
    }))
    return {
      kind: 'leaders',
      id: `${body}.${years.term}`,
      after: { body, title: heading.title, term: years.term, lead: heading.lead, members },
    }
  })
  return {
    rewritings: [
      ...bodies,
      ...committees(plan, present, years),
      ...pastPresidents(plan, present),
      ...updateLabels(plan, present, years, labels),
    ],
    labels,
  }
}

/** Returns the heading of a new body: the former heading with the new year and member count. */
function headingOf(
  former: Body | null,
  {
    body,
    name,
    count,
    plan,
    labels,
    years,
  }: { body: string; name: string; count: number; plan: RollOverPlan; labels: RollOverLabel[]; years: TermPair },
): { title: string; lead: string } {
  if (!former) return { title: `${name} ${years.term}`, lead: `In office in the year ${years.term}.` }
  const parts = { title: 'Heading', lead: 'Under the heading' }
  const moved = { title: former.title, lead: former.lead }
  for (const part of ['title', 'lead'] as const) {
    const after = updateCount(updateYear(former[part], former.term, years.term), former.members.length, count)
    if (after === former[part]) continue
    const key = `leaders/${body}:${part}`
    labels.push({ key, where: `${name}, ${parts[part]}`, ...excerpts(former[part], after), isLeftAlone: false })
    if (!plan.keptLabels.includes(key)) moved[part] = after
  }
  return moved
}

function committees(
  { committees: { isRenewed, list } }: RollOverPlan,
  present: RollOverSnapshot,
  { term }: TermPair,
): ContentChange[] {
  if (!isRenewed) return []
  const former = committeesOf(present.records)?.committees ?? []
  const tidy = list.map(({ id, title, blurb, members: names }) => {
    const members = names.filter(Boolean)
    const [chair] = members
    const portrait = former.find((one) => one.id === id && one.members[0] === chair)?.portrait
    return { ...(id && { id }), title, blurb, members, ...(portrait && { portrait }) }
  })
  return [{ kind: 'committees', id: 'all', after: { term, committees: tidy } }]
}

function pastPresidents(
  { pastPresident: { isAdded, name, year } }: RollOverPlan,
  present: RollOverSnapshot,
): ContentChange[] {
  const presidents = pastPresidentsOf(present.records)
  if (!isAdded || name === '' || presidents.some((one) => one.year === year)) return []
  const after = [{ name, year }, ...presidents].sort((a, b) => b.year - a.year)
  return [{ kind: 'past-presidents', id: 'all', after: { presidents: after } }]
}

/** Updates labels elsewhere on the site; labels in records with unpublished changes are listed but not changed. */
function updateLabels(
  { keptLabels }: RollOverPlan,
  { records }: RollOverSnapshot,
  { term, formerTerm }: TermPair,
  labels: RollOverLabel[],
): ContentChange[] {
  return records.flatMap(({ kind, id, title, fields, published: shown, hasUnpublishedChanges: isWaiting }) => {
    if (!shown || EXCLUDED_KINDS.includes(kind)) return []
    let after = shown
    for (const { path, label, text } of collectTexts(fields, shown)) {
      const moved = updateYear(text, formerTerm, term)
      if (moved === text) continue
      const key = `${kind}/${id}:${path}`
      labels.push({ key, where: `${title}, ${label}`, ...excerpts(text, moved), isLeftAlone: isWaiting })
      if (!isWaiting && !keptLabels.includes(key)) after = withText(after, path, moved)
    }
    return after === shown ? [] : [{ kind, id, after }]
  })
}
