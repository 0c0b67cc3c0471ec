import { permissionsOf, type Role } from '#contract/access.ts'

const HOUR_MS = 3_600_000
/** For a change the owner requested and is waiting for. */
const OWN_LINK_MS = 24 * HOUR_MS
/** For a change officers requested: the owner may not check their email the same day. */
const OFFICERS_LINK_MS = 72 * HOUR_MS

/** Returns when an unconfirmed change of address expires. */
export function emailChangeExpiresAt({ askedAt, askedBy }: { askedAt: number; askedBy: string | null }): number {
  return askedAt + (askedBy === null ? OWN_LINK_MS : OFFICERS_LINK_MS)
}

/**
 * Checks authorization again when a change is confirmed: the officers behind it must still hold their roles, and an
 * account that has gained a role since the request needs a second officer.
 */
export function isEmailChangeAuthorized(
  change: { askedBy: string | null; approvedBy: string | null },
  roles: { ofAsker: readonly Role[]; ofApprover: readonly Role[]; isOfficer: boolean },
): boolean {
  if (change.askedBy === null || change.askedBy === 'webmaster') return true
  if (!permissionsOf(roles.ofAsker).includes('members.change')) return false
  if (change.approvedBy !== null) return permissionsOf(roles.ofApprover).includes('officers.change')
  return !roles.isOfficer
}
