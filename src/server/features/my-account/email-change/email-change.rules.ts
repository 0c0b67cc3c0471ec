import { permissionsOf, type Role } from '#contract/access.ts'

const HOUR_MS = 3_600_000
/** Of a change its owner asked for, who waits for the email. */
const OWN_LINK_MS = 24 * HOUR_MS
/** Of one that officers asked for: its owner may not look for the email on the same day. */
const OFFICERS_LINK_MS = 72 * HOUR_MS

/** When a change of address that was not confirmed is over. */
export function emailChangeEndsAt({ askedAt, askedBy }: { askedAt: number; askedBy: string | null }): number {
  return askedAt + (askedBy === null ? OWN_LINK_MS : OFFICERS_LINK_MS)
}

/**
 * Whether a change still counts when it is confirmed. The officers who answer for it must still hold their roles, and an account that holds a
 * role by now needs a second officer although it held none when the change was asked for.
 */
export function mayStillMove(
  change: { askedBy: string | null; approvedBy: string | null },
  roles: { ofAsker: readonly Role[]; ofApprover: readonly Role[]; isOfficer: boolean },
): boolean {
  if (change.askedBy === null || change.askedBy === 'webmaster') return true
  if (!permissionsOf(roles.ofAsker).includes('members.change')) return false
  if (change.approvedBy !== null) return permissionsOf(roles.ofApprover).includes('officers.change')
  return !roles.isOfficer
}
