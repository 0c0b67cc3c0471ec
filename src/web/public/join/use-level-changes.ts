import { useEffect, useState } from 'react'
import type { MembershipLevel } from '#contract/public/membership.ts'

const NONE: ReadonlyMap<string, string> = new Map()

/** What each change costs a member, by level key. Empty for visitors and until loaded; the payment pages show it too. */
export function useLevelChanges(isMember: boolean, levels: readonly MembershipLevel[]): ReadonlyMap<string, string> {
  const [changes, setChanges] = useState(NONE)
  const hasLevels = levels.length > 0

  useEffect(() => {
    if (!isMember || !hasLevels) return
    let isWanted = true
    // Loaded for members only: most visitors of the plans are not logged in.
    void import('./level-changes.ts')
      .then(({ getLevelChanges }) => getLevelChanges(levels))
      .then((found) => isWanted && setChanges(found))
      .catch(() => {})
    return () => {
      isWanted = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a reloaded list of the same levels has the same costs
  }, [isMember, hasLevels])

  return isMember ? changes : NONE
}
