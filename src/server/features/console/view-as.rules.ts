import type { Viewing } from './view-as.repository.ts'

/** How a view ended: by its officer, by the clock, with the officer's session or role, or because the member's account is no longer one to be viewed. */
export type ViewingEnd = 'left' | 'time' | 'session' | 'role' | 'account' | 'another'

/** What must hold for a view to go on. */
export interface ViewingState {
  now: number
  /** The officer's session was not ended, nor their account closed. */
  isSessionOpen: boolean
  /** The officer holds a role today that allows views. */
  mayView: boolean
  /** The member's account is open and no officer's. */
  isViewable: boolean
}

/** Why a view is over; null while it goes on. */
export function whyOver(
  { endsAt }: Pick<Viewing, 'endsAt'>,
  { now, isSessionOpen, mayView, isViewable }: ViewingState,
): Exclude<ViewingEnd, 'left' | 'another'> | null {
  if (now >= endsAt) return 'time'
  if (!isSessionOpen) return 'session'
  if (!mayView) return 'role'
  return isViewable ? null : 'account'
}
