import { useEffect, useState } from 'react'
import type { MembershipLevel } from '#contract/membership.ts'

const NONE: ReadonlyMap<string, string> = new Map()

/** What each change costs a member, by level key; empty for visitors, and while it is not known: the pages where one pays tell it too. */
export function useLevelChanges(isMember: boolean, levels: readonly MembershipLevel[]): ReadonlyMap<string, string> {
  const [changes, setChanges] = useState(NONE)
  const hasLevels = levels.length > 0

  useEffect(() => {
    if (!isMember || !hasLevels) return
    let isWanted = true
    // Fetched for members only: most who look at the plans are visitors.
    void import('#web/features/billing/level-changes.ts')
      .then(({ getLevelChanges }) => getLevelChanges(levels))
      .then((found) => isWanted && setChanges(found))
      .catch(() => {})
    return () => {
      isWanted = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a fresh list of the same levels costs the same
  }, [isMember, hasLevels])

  return isMember ? changes : NONE
}
