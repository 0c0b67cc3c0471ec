import { ROLE_NAMES, type Role } from '#contract/access.ts'
import type { PlannedGrant, RollOverPlan, RollOverRoleChange } from '#contract/console/roll-over.ts'
import { addDays, formatDay } from '#contract/dates/days.ts'
import type { NamedTerm } from '#server/features/officers/officer.queries.ts'
import { termsEndingBy, type RollOverSnapshot } from './roll-over-snapshot.rules.ts'

/** A role to assign to an account. */
export interface RoleAssignment {
  accountId: string
  name: string
  role: Role
  startsOn: string
  endsOn: string
}

/** A term to shorten to a day, or to end immediately if that day is past. */
export interface RoleEnding {
  term: NamedTerm
  endsOn: string
  atOnce: boolean
}

/** Plans for a year further ahead are checked when it is nearer. */
const LOOKS_AHEAD_DAYS = 800

/** Returns the role changes of a plan; skips roles already held for the whole period. */
export function computeRoleChanges(
  plan: RollOverPlan,
  present: RollOverSnapshot,
): { assignments: RoleAssignment[]; roleEndings: RoleEnding[] } {
  const { lastDay } = plan
  const endings = termsEndingBy(present.terms, lastDay)
    .filter(({ id, endsOn }) => plan.endings.includes(id) && endsOn > lastDay)
    .map((term) => ({ term, endsOn: lastDay, atOnce: lastDay < present.today }))
  const staying = present.terms.filter(({ id, endedAt }) => !endedAt && !endings.some(({ term }) => term.id === id))
  const assignments: RoleAssignment[] = []
  for (const { accountId, role, startsOn, endsOn } of plan.grants) {
    const name = present.members.get(accountId ?? '')?.name
    if (accountId === null || name === undefined || startsOn === '' || endsOn === '' || endsOn < startsOn) continue
    const holds = (one: Pick<RoleAssignment, 'accountId' | 'role' | 'startsOn' | 'endsOn'>) =>
      one.accountId === accountId && one.role === role && one.startsOn <= startsOn && one.endsOn >= endsOn
    if (!staying.some(holds) && !assignments.some(holds)) assignments.push({ accountId, name, role, startsOn, endsOn })
  }
  return { assignments, roleEndings: endings }
}

/** Formats role changes for the overview and the summary. */
export function describeRoleChanges({
  assignments,
  roleEndings: endings,
}: {
  assignments: readonly RoleAssignment[]
  roleEndings: readonly RoleEnding[]
}): RollOverRoleChange[] {
  const until = ({ startsOn, endsOn }: { startsOn: string; endsOn: string }) =>
    `${formatDay(startsOn)} to ${formatDay(endsOn)}`
  return [
    ...assignments.map((assignment) => ({
      name: assignment.name,
      role: assignment.role,
      change: 'given' as const,
      before: null,
      after: until(assignment),
    })),
    ...endings.map(({ term, endsOn, atOnce }) => ({
      name: `${term.firstName} ${term.lastName}`,
      role: term.role,
      change: atOnce ? ('ended' as const) : ('shortened' as const),
      before: until(term),
      after: atOnce ? 'ends immediately' : `ends on ${formatDay(endsOn)}`,
    })),
  ]
}

/** Returns a sentence on what is wrong with a role to assign; null if nothing is. */
export function grantProblem(
  { accountId, name, role, startsOn, endsOn }: PlannedGrant,
  { today, members }: Pick<RollOverSnapshot, 'today' | 'members'>,
): string | null {
  const who = name || `the ${ROLE_NAMES[role].toLowerCase()}`
  if (accountId === null) return `Choose an account for ${who}, or remove this role.`
  if (!members.has(accountId)) return `${who} has no account that can log in. Choose someone else.`
  if (startsOn === '' || endsOn === '') return `Enter the first and last day for ${who}.`
  if (endsOn < startsOn) return `The last day for ${who} is before the first.`
  return endsOn < today ? `The term for ${who} would already be over.` : null
}

/**
 * Returns the first day, from today until the new officers start, on which no one could manage officers; null if there
 * is none.
 */
export function firstDayWithoutPresident(
  { assignments, roleEndings: endings }: { assignments: readonly RoleAssignment[]; roleEndings: readonly RoleEnding[] },
  { today, terms }: Pick<RollOverSnapshot, 'today' | 'terms'>,
  firstDay: string,
): string | null {
  const spans = [
    ...terms.flatMap(({ id, role, startsOn, endsOn, endedAt }) => {
      if (role !== 'president' || endedAt !== null) return []
      const ending = endings.find(({ term }) => term.id === id)
      if (ending?.atOnce) return []
      return [{ startsOn, endsOn: ending?.endsOn ?? endsOn }]
    }),
    ...assignments.filter(({ role }) => role === 'president'),
  ]
  const until = firstDay < today ? today : firstDay > addDays(today, LOOKS_AHEAD_DAYS) ? today : firstDay
  for (let day = today; day <= until; day = addDays(day, 1))
    if (!spans.some(({ startsOn, endsOn }) => startsOn <= day && endsOn >= day)) return day
  return null
}
