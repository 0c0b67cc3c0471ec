import type { ContentValue } from '#contract/console-content.ts'
import { BOARD_NAMES, type RollOverLabel, type RollOverPlan } from '#contract/console-roll-over.ts'
import { moveCount } from './counted-words.rules.ts'
import { bodyAround, EXECUTIVE, pastPresidentsOf, type Body, type Present } from './roll-over-present.ts'
import { excerpts, moveYear, textsOf, withText } from './year-labels.rules.ts'

/** A record and what it is to say. */
export interface Rewriting {
  kind: string
  id: string
  after: ContentValue
}

export interface Years {
  /** The term that begins and the one before it. */
  term: string
  formerTerm: string
}

/** What tells of a year that is over goes on telling it; bodies and lists of people have steps of their own. */
const UNTOUCHED = ['events', 'news', 'leaders', 'committees', 'past-presidents']

/** What the plan writes into content, record by record, and every label that names the year. */
export function rewritingsOf(
  plan: RollOverPlan,
  present: Present,
  years: Years,
): { rewritings: Rewriting[]; labels: RollOverLabel[] } {
  const labels: RollOverLabel[] = []
  const executive = plan.executive.map(({ office, name, location }) => ({ name, role: office, location }))
  const bodies = [
    { body: EXECUTIVE, name: 'Executive Committee', people: executive.filter(({ name }) => name !== '') },
    ...plan.boards
      .filter(({ isRenewed }) => isRenewed)
      .map(({ body, people }) => ({ body, name: BOARD_NAMES[body], people })),
  ].map(({ body, name, people }) => {
    const { former, there } = bodyAround(present.records, body, years.term)
    const heading = there ?? headingOf(former, { body, name, count: people.length, plan, labels, years })
    const members = people.map(({ name: who, role, location }) => ({
      name: who,
      ...(role && { role }),
      ...(location && { location }),
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
      ...committees(plan, years),
      ...pastPresidents(plan, present),
      ...relabel(plan, present, years, labels),
    ],
    labels,
  }
}

/** The heading of a body that begins a term, as that of the one before with another year and number of members. */
function headingOf(
  former: Body | null,
  {
    body,
    name,
    count,
    plan,
    labels,
    years,
  }: { body: string; name: string; count: number; plan: RollOverPlan; labels: RollOverLabel[]; years: Years },
): { title: string; lead: string } {
  if (!former) return { title: `${name} ${years.term}`, lead: `In office in the year ${years.term}.` }
  const parts = { title: 'Heading', lead: 'Under the heading' }
  const moved = { title: former.title, lead: former.lead }
  for (const part of ['title', 'lead'] as const) {
    const after = moveCount(moveYear(former[part], former.term, years.term), former.members.length, count)
    if (after === former[part]) continue
    const key = `leaders/${body}:${part}`
    labels.push({ key, where: `${name}, ${parts[part]}`, ...excerpts(former[part], after), isLeftAlone: false })
    if (!plan.keptLabels.includes(key)) moved[part] = after
  }
  return moved
}

function committees({ committees: { isRenewed, list } }: RollOverPlan, { term }: Years): Rewriting[] {
  if (!isRenewed) return []
  const tidy = list.map(({ id, title, blurb, members }) => ({
    ...(id && { id }),
    title,
    blurb,
    members: members.filter(Boolean),
  }))
  return [{ kind: 'committees', id: 'all', after: { term, committees: tidy } }]
}

function pastPresidents({ pastPresident: { isAdded, name, year } }: RollOverPlan, present: Present): Rewriting[] {
  const presidents = pastPresidentsOf(present.records)
  if (!isAdded || name === '' || presidents.some((one) => one.year === year)) return []
  const after = [{ name, year }, ...presidents].sort((a, b) => b.year - a.year)
  return [{ kind: 'past-presidents', id: 'all', after: { presidents: after } }]
}

/** Labels elsewhere on the site; those of a record that somebody is writing are shown and left alone. */
function relabel(
  { keptLabels }: RollOverPlan,
  { records }: Present,
  { term, formerTerm }: Years,
  labels: RollOverLabel[],
): Rewriting[] {
  return records.flatMap(({ kind, id, title, fields, shown, isWaiting }) => {
    if (!shown || UNTOUCHED.includes(kind)) return []
    let after = shown
    for (const { path, label, text } of textsOf(fields, shown)) {
      const moved = moveYear(text, formerTerm, term)
      if (moved === text) continue
      const key = `${kind}/${id}:${path}`
      labels.push({ key, where: `${title}, ${label}`, ...excerpts(text, moved), isLeftAlone: isWaiting })
      if (!isWaiting && !keptLabels.includes(key)) after = withText(after, path, moved)
    }
    return after === shown ? [] : [{ kind, id, after }]
  })
}
