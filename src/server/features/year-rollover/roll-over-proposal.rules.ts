import { headOffice, movesUpTo, roleOf } from '#contract/console/people/offices.ts'
import { BOARDS, type RollOverPlan } from '#contract/console/roll-over.ts'
import {
  findBodies,
  committeesOf,
  termsEndingBy,
  EXECUTIVE_COMMITTEE,
  leadersOf,
  pastPresidentsOf,
  type RollOverSnapshot,
} from './roll-over-snapshot.rules.ts'

/** Used if the site lists no offices. */
const OFFICES = ['President', 'President Elect', 'Vice President', 'Secretary', 'Treasurer', 'Past President']

/** Returns an initial plan: fills in who moves up and what stays, leaves elected offices empty. */
export function proposePlan(
  present: RollOverSnapshot,
  { firstDay, lastDay, newLastDay, term }: { firstDay: string; lastDay: string; newLastDay: string; term: string },
): RollOverPlan {
  const executive = proposeExecutive(present, term)
  const offices = executive.map(({ office }) => office)
  const held = leadersOf(findBodies(present.records, EXECUTIVE_COMMITTEE, term).former)
  const head = headOffice(held.map(({ role }) => role))
  const outgoing = held.find(({ role }) => role !== '' && role === head)
  const year = Number(lastDay.slice(0, 4))
  const committees = committeesOf(present.records)
  const ending = termsEndingBy(present.terms, lastDay)
  const startsOn = firstDay > present.today ? firstDay : present.today
  const roles = new Set(['president' as const, ...ending.map(({ role }) => role)])
  return {
    lastDay,
    newLastDay,
    executive,
    boards: BOARDS.flatMap((body) => {
      const { former, there } = findBodies(present.records, body, term)
      return former || there ? [{ body, isRenewed: true, people: leadersOf(there ?? former) }] : []
    }),
    committees: { isRenewed: committees !== null, list: committees?.committees ?? [] },
    grants: [...roles].map((role) => {
      const name = executive.find(({ office }) => roleOf(office, offices) === role)?.name ?? ''
      return { role, name, accountId: null, startsOn, endsOn: newLastDay }
    }),
    endings: ending.filter(({ endsOn }) => endsOn > lastDay).map(({ id }) => id),
    pastPresident: {
      isAdded: outgoing !== undefined && !pastPresidentsOf(present.records).some((one) => one.year === year),
      name: outgoing?.name ?? '',
      year,
    },
    keptLabels: [],
  }
}

function proposeExecutive({ records }: RollOverSnapshot, term: string): RollOverPlan['executive'] {
  const { former, there } = findBodies(records, EXECUTIVE_COMMITTEE, term)
  const held = leadersOf(former)
  const offices = held.map(({ role }) => role).filter(Boolean)
  return (there ? leadersOf(there) : []).length > 0
    ? leadersOf(there).map(({ role, ...person }) => ({ ...person, office: role, accountId: null }))
    : (offices.length > 0 ? offices : OFFICES).map((office) => {
        const next = held.find(({ role }) => role !== '' && role === movesUpTo(office, offices))
        const { name = '', location = '' } = next ?? {}
        return { office, name, location, accountId: null }
      })
}
