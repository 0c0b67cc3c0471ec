import { BOARD_NAMES, type RollOver, type RollOverPlan, type RollOverStep } from '#contract/console-roll-over.ts'
import { addDays, writeDay } from '#contract/days.ts'
import { halfTypedNames } from './half-typed-names.rules.ts'
import { pastPresidentsOf, type Present } from './roll-over-present.ts'
import { dayWithoutPresident, grantProblem, roleMovesOf } from './roll-over-roles.rules.ts'

type Obstacle = RollOver['obstacles'][number]

/** A year, and a month for one that is moved. */
const LONGEST_YEAR_DAYS = 396

/** What must be settled before the year can be moved on, in the order of the steps. */
export function obstaclesOf(
  plan: RollOverPlan,
  present: Present,
  /** What content refuses to take, found by its own forms. */
  refused: readonly Obstacle[],
): Obstacle[] {
  const { lastDay, newLastDay, executive, boards, committees, grants, pastPresident } = plan
  const found: Obstacle[] = []
  const add = (step: RollOverStep, isWrong: boolean, sentence: string) => {
    if (isWrong) found.push({ step, sentence })
  }

  const hasDays = lastDay !== '' && newLastDay !== ''
  add('year', !hasDays, 'Say when the year ends, and when the one that begins does.')
  add('year', hasDays && newLastDay <= lastDay, 'The year that begins would end before it begins.')
  add(
    'year',
    hasDays && newLastDay > addDays(lastDay, LONGEST_YEAR_DAYS),
    'The year that begins would last longer than 13 months.',
  )

  const names = executive.map(({ name }) => name).filter(Boolean)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  add('executive', !executive.some(({ office, name }) => office === 'President' && name), 'Say who is president.')
  add(
    'executive',
    executive.some(({ office, name }) => name && !office),
    'Say which office everybody holds.',
  )
  add('executive', twice !== undefined, `${twice} stands for two offices. Nobody holds two at the same time.`)

  for (const { body, isRenewed, people } of boards) {
    add('boards', isRenewed && people.length === 0, `Nobody is on the ${BOARD_NAMES[body]}.`)
    add('boards', isRenewed && people.some(({ name }) => !name), `Somebody on the ${BOARD_NAMES[body]} has no name.`)
  }
  add('boards', committees.isRenewed && committees.list.length === 0, 'There are no committees.')

  for (const grant of grants) {
    const problem = grantProblem(grant, present)
    add('roles', problem !== null, problem ?? '')
  }
  if (hasDays) {
    const day = dayWithoutPresident(roleMovesOf(plan, present), present, addDays(lastDay, 1))
    add(
      'roles',
      day !== null,
      `From ${writeDay(day ?? present.today)} on nobody could manage the officers. Give somebody the role of president.`,
    )
  }

  const there = pastPresidentsOf(present.records).find(({ year }) => year === pastPresident.year)
  add('past', pastPresident.isAdded && !pastPresident.name, 'Say who joins the past presidents.')
  add(
    'past',
    pastPresident.isAdded && there !== undefined && there.name !== pastPresident.name,
    `${pastPresident.year} is the year of ${there?.name ?? ''}. Choose another year.`,
  )
  for (const { step, name, meant } of halfTypedNames(plan, present)) {
    const sentence = meant === null ? `Is “${name}” the whole name?` : `Is “${name}” the whole name, or is it ${meant}?`
    found.push({ step, sentence, asksAbout: name })
  }
  return [...found, ...refused]
}
