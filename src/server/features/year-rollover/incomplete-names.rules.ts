import type { RollOverPlan, RollOverStep } from '#contract/console/roll-over.ts'
import { pastPresidentsOf, type RollOverSnapshot } from './roll-over-snapshot.rules.ts'

/** Titles are not part of a name. */
const TITLE = /^(dr|prof|mr|mrs|ms)\.?$/i

interface HalfTypedName {
  step: RollOverStep
  name: string
  /** A known name that begins like it; null if the name is a single word. */
  meant: string | null
}

/**
 * Returns names in the plan that may be incomplete: single words, or prefixes of a longer known name. Names already on
 * the site, of a selected account, or confirmed are excluded.
 */
export function findIncompleteNames(plan: RollOverPlan, present: RollOverSnapshot): HalfTypedName[] {
  const shown = namesShown(present)
  const known = new Set(shown.map(plain))
  const complete = new Set([...(plan.wholeNames ?? []).map(plain), ...known])
  const longer = [
    ...shown,
    ...[...present.members.values()].map(({ name }) => name),
    ...namesOf(plan).map(({ name }) => name),
  ]
  const reported = new Set<string>()
  return namesOf(plan).flatMap(({ step, name, hasAccount }) => {
    const key = plain(name)
    if (hasAccount || key === '' || complete.has(key) || reported.has(key)) return []
    const meant = longer.find((one) => plain(one) !== key && plain(one).startsWith(key)) ?? null
    if (meant === null && key.includes(' ')) return []
    reported.add(key)
    return [{ step, name, meant }]
  })
}

function namesOf(plan: RollOverPlan): { step: RollOverStep; name: string; hasAccount: boolean }[] {
  const { executive, boards, committees, pastPresident } = plan
  const withoutAccount = (step: RollOverStep) => (name: string) => ({ step, name, hasAccount: false })
  return [
    ...executive.map(({ name, accountId }) => ({ step: 'executive' as const, name, hasAccount: accountId !== null })),
    ...boards
      .filter(({ isRenewed }) => isRenewed)
      .flatMap(({ people }) => people.map(({ name }) => withoutAccount('boards')(name))),
    ...(committees.isRenewed ? committees.list.flatMap(({ members }) => members.map(withoutAccount('boards'))) : []),
    ...(pastPresident.isAdded ? [withoutAccount('past')(pastPresident.name)] : []),
  ]
}

/** Returns everyone listed on the site in a body, a committee or among the past presidents. */
function namesShown({ records }: RollOverSnapshot): string[] {
  const ofRecords = records.flatMap(({ kind, published: shown }) => {
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
