import { headOffice } from '#contract/console/people/offices.ts'
import type { RollOver, RollOverPlan, RollOverStep } from '#contract/console/roll-over.ts'
import { addDays, formatDay } from '#contract/dates/days.ts'
import { findIncompleteNames } from './incomplete-names.rules.ts'
import { namesOfBodies, pastPresidentsOf, type RollOverSnapshot } from './roll-over-snapshot.rules.ts'
import { firstDayWithoutPresident, grantProblem, computeRoleChanges } from './roll-over-roles.rules.ts'

type Obstacle = RollOver['obstacles'][number]

/** A year, plus a month in case its start moves. */
const LONGEST_YEAR_DAYS = 396

/** Returns what blocks the roll-over, in the order of the steps. */
export function findObstacles(
  plan: RollOverPlan,
  present: RollOverSnapshot,
  /** Values that content forms rejected. */
  refused: readonly Obstacle[],
): Obstacle[] {
  const { lastDay, newLastDay, executive, boards, committees, grants, pastPresident } = plan
  const found: Obstacle[] = []
  const add = (step: RollOverStep, isWrong: boolean, sentence: string) => {
    if (isWrong) found.push({ step, sentence })
  }

  const hasDays = lastDay !== '' && newLastDay !== ''
  add('year', !hasDays, 'Enter the last day of this year and of the new year.')
  add('year', hasDays && newLastDay <= lastDay, 'The new year would end before it begins.')
  add(
    'year',
    hasDays && newLastDay > addDays(lastDay, LONGEST_YEAR_DAYS),
    'The new year would last longer than 13 months.',
  )

  const names = executive.map(({ name }) => name).filter(Boolean)
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  const head = headOffice(executive.map(({ office }) => office))
  const hasHead = executive.some(({ office, name }) => office === head && name)
  add('executive', !hasHead, `Enter who is ${head.toLowerCase()}.`)
  add(
    'executive',
    executive.some(({ office, name }) => name && !office),
    'Enter an office for everyone listed.',
  )
  add('executive', duplicate !== undefined, `${duplicate} is listed for two offices. A person can hold only one.`)

  const bodyNames = namesOfBodies(present.records)
  for (const { body, isRenewed, people } of boards) {
    add('boards', isRenewed && people.length === 0, `“${bodyNames[body]}” has no members.`)
    add('boards', isRenewed && people.some(({ name }) => !name), `A member of “${bodyNames[body]}” has no name.`)
  }
  add('boards', committees.isRenewed && committees.list.length === 0, `“${bodyNames.committees}” has no entries.`)

  for (const grant of grants) {
    const problem = grantProblem(grant, present)
    add('roles', problem !== null, problem ?? '')
  }
  if (hasDays) {
    const day = firstDayWithoutPresident(computeRoleChanges(plan, present), present, addDays(lastDay, 1))
    add(
      'roles',
      day !== null,
      `From ${formatDay(day ?? present.today)} on, no one could manage officers. Assign the role of president.`,
    )
  }

  const there = pastPresidentsOf(present.records).find(({ year }) => year === pastPresident.year)
  add('past', pastPresident.isAdded && !pastPresident.name, 'Enter who joins the past presidents.')
  add(
    'past',
    pastPresident.isAdded && there !== undefined && there.name !== pastPresident.name,
    `${there?.name ?? ''} is already listed for ${pastPresident.year}. Choose another year.`,
  )
  for (const { step, name, meant } of findIncompleteNames(plan, present)) {
    const sentence = meant === null ? `Is “${name}” the whole name?` : `Is “${name}” the whole name, or is it ${meant}?`
    found.push({ step, sentence, asksAbout: name })
  }
  return [...found, ...refused]
}
