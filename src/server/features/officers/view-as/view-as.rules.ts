import type { ViewRecord } from './view-as.repository.ts'

/**
 * Why a view ended: the officer left it, it timed out, the officer's session or role ended, the member's account can no
 * longer be viewed, or the officer opened another view.
 */
export type ViewEndReason = 'left' | 'time' | 'session' | 'role' | 'account' | 'another'

/** The conditions for a view to continue. */
export interface ViewConditions {
  now: number
  /** The officer's session is active and their account open. */
  isSessionOpen: boolean
  /** The officer has a role today that allows views. */
  mayView: boolean
  /** The member's account is open and holds no role. */
  isViewable: boolean
}

/** Returns why a view ends; null while it may continue. */
export function viewEndReason(
  { endsAt }: Pick<ViewRecord, 'endsAt'>,
  { now, isSessionOpen, mayView, isViewable }: ViewConditions,
): Exclude<ViewEndReason, 'left' | 'another'> | null {
  if (now >= endsAt) return 'time'
  if (!isSessionOpen) return 'session'
  if (!mayView) return 'role'
  return isViewable ? null : 'account'
}
