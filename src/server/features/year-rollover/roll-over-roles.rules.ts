import { ROLE_NAMES, type Role } from '#contract/access.ts'
import type { PlannedGrant, RollOverPlan, RollOverRoleChange } from '#contract/console-roll-over.ts'
import { addDays, writeDay } from '#contract/days.ts'
import type { NamedTerm } from '../console/officer.repository.ts'
import { endingWith, type Present } from './roll-over-present.ts'

/** A role that is given, to an account that is known. */
export interface Giving {
  accountId: string
  name: string
  role: Role
  startsOn: string
  endsOn: string
}

/** A term that is shortened to a day, or where that is past ended at once. */
export interface Ending {
  term: NamedTerm
  endsOn: string
  atOnce: boolean
}

/** A plan for a year that is further away is looked at when it is nearer. */
const LOOKS_AHEAD_DAYS = 800

/** What becomes of console roles; a role that somebody holds for all these days already is not given again. */
export function roleMovesOf(plan: RollOverPlan, present: Present): { givings: Giving[]; endings: Ending[] } {
  const { lastDay } = plan
  const endings = endingWith(present.terms, lastDay)
    .filter(({ id, endsOn }) => plan.endings.includes(id) && endsOn > lastDay)
    .map((term) => ({ term, endsOn: lastDay, atOnce: lastDay < present.today }))
  const staying = present.terms.filter(({ id, endedAt }) => !endedAt && !endings.some(({ term }) => term.id === id))
  const givings: Giving[] = []
  for (const { accountId, role, startsOn, endsOn } of plan.grants) {
    const name = present.members.get(accountId ?? '')?.name
    if (accountId === null || name === undefined || startsOn === '' || endsOn === '' || endsOn < startsOn) continue
    const holds = (one: Pick<Giving, 'accountId' | 'role' | 'startsOn' | 'endsOn'>) =>
      one.accountId === accountId && one.role === role && one.startsOn <= startsOn && one.endsOn >= endsOn
    if (!staying.some(holds) && !givings.some(holds)) givings.push({ accountId, name, role, startsOn, endsOn })
  }
  return { givings, endings }
}

/** The same in words, as the overview and the summary show it. */
export function describeMoves({
  givings,
  endings,
}: {
  givings: readonly Giving[]
  endings: readonly Ending[]
}): RollOverRoleChange[] {
  const until = ({ startsOn, endsOn }: { startsOn: string; endsOn: string }) =>
    `${writeDay(startsOn)} to ${writeDay(endsOn)}`
  return [
    ...givings.map((giving) => ({
      name: giving.name,
      role: giving.role,
      change: 'given' as const,
      before: null,
      after: until(giving),
    })),
    ...endings.map(({ term, endsOn, atOnce }) => ({
      name: `${term.firstName} ${term.lastName}`,
      role: term.role,
      change: atOnce ? ('ended' as const) : ('shortened' as const),
      before: until(term),
      after: atOnce ? 'ends at once' : `ends on ${writeDay(endsOn)}`,
    })),
  ]
}

/** What is wrong with a role that is to be given, as a sentence; null: nothing. */
export function grantProblem(
  { accountId, name, role, startsOn, endsOn }: PlannedGrant,
  { today, members }: Pick<Present, 'today' | 'members'>,
): string | null {
  const who = name || `the ${ROLE_NAMES[role].toLowerCase()}`
  if (accountId === null) return `Choose the account of ${who}, or take this role out.`
  if (!members.has(accountId)) return `${who} has no account that can log in. Choose somebody else.`
  if (startsOn === '' || endsOn === '') return `Say from which day until which ${who} holds the role.`
  if (endsOn < startsOn) return `The last day of ${who} is before the first.`
  return endsOn < today ? `The role of ${who} would be over already.` : null
}

/** The first day, from today until the new officers begin, on which nobody could manage the officers; null when there is none. */
export function dayWithoutPresident(
  { givings, endings }: { givings: readonly Giving[]; endings: readonly Ending[] },
  { today, terms }: Pick<Present, 'today' | 'terms'>,
  firstDay: string,
): string | null {
  const spans = [
    ...terms.flatMap(({ id, role, startsOn, endsOn, endedAt }) => {
      if (role !== 'president' || endedAt !== null) return []
      const ending = endings.find(({ term }) => term.id === id)
      if (ending?.atOnce) return []
      return [{ startsOn, endsOn: ending?.endsOn ?? endsOn }]
    }),
    ...givings.filter(({ role }) => role === 'president'),
  ]
  const until = firstDay < today ? today : firstDay > addDays(today, LOOKS_AHEAD_DAYS) ? today : firstDay
  for (let day = today; day <= until; day = addDays(day, 1))
    if (!spans.some(({ startsOn, endsOn }) => startsOn <= day && endsOn >= day)) return day
  return null
}
