import type { RollOverPlan, RollOverStep } from '#contract/console-roll-over.ts'
import { pastPresidentsOf, type Present } from './roll-over-present.ts'

/** A title is no part of a name. */
const TITLE = /^(dr|prof|mr|mrs|ms)\.?$/i

interface HalfTypedName {
  step: RollOverStep
  name: string
  /** Somebody whose name begins like it; null: it is one word alone. */
  meant: string | null
}

/**
 * Names of the plan that may have been left half-typed: of one word alone, or the beginning of a longer name that the site knows. A name that the site
 * shows already, belongs to a chosen account or was confirmed is none.
 */
export function halfTypedNames(plan: RollOverPlan, present: Present): HalfTypedName[] {
  const shown = namesShown(present)
  const known = new Set(shown.map(plain))
  const whole = new Set([...(plan.wholeNames ?? []).map(plain), ...known])
  const longer = [
    ...shown,
    ...[...present.members.values()].map(({ name }) => name),
    ...namesOf(plan).map(({ name }) => name),
  ]
  const asked = new Set<string>()
  return namesOf(plan).flatMap(({ step, name, hasAccount }) => {
    const key = plain(name)
    if (hasAccount || key === '' || whole.has(key) || asked.has(key)) return []
    const meant = longer.find((one) => plain(one) !== key && plain(one).startsWith(key)) ?? null
    if (meant === null && key.includes(' ')) return []
    asked.add(key)
    return [{ step, name, meant }]
  })
}

function namesOf(plan: RollOverPlan): { step: RollOverStep; name: string; hasAccount: boolean }[] {
  const { executive, boards, committees, pastPresident } = plan
  const alone = (step: RollOverStep) => (name: string) => ({ step, name, hasAccount: false })
  return [
    ...executive.map(({ name, accountId }) => ({ step: 'executive' as const, name, hasAccount: accountId !== null })),
    ...boards
      .filter(({ isRenewed }) => isRenewed)
      .flatMap(({ people }) => people.map(({ name }) => alone('boards')(name))),
    ...(committees.isRenewed ? committees.list.flatMap(({ members }) => members.map(alone('boards'))) : []),
    ...(pastPresident.isAdded ? [alone('past')(pastPresident.name)] : []),
  ]
}

/** Everybody whom the site names in a body, a committee or among the past presidents. */
function namesShown({ records }: Present): string[] {
  const ofRecords = records.flatMap(({ kind, shown }) => {
    if (kind === 'leaders') return ((shown?.['members'] ?? []) as { name: string }[]).map(({ name }) => name)
    if (kind !== 'committees') return []
    return ((shown?.['committees'] ?? []) as { members: string[] }[]).flatMap(({ members }) => members)
  })
  return [...ofRecords, ...pastPresidentsOf(records).map(({ name }) => name)]
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !TITLE.test(word))
    .join(' ')
}
