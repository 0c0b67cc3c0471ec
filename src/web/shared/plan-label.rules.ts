import type { Subscription } from '#contract/public/account.ts'
import type { MembershipLevel } from '#contract/public/membership.ts'

export type PlanAction = 'select' | 'checkout' | 'manage' | 'none'

export interface PlanLabel {
  label: string
  /** What a click does: `select` opens the registration form; `none` disables the button. */
  action: PlanAction
  /** Why the button is disabled. */
  reason?: string
}

interface Visitor {
  isLoggedIn: boolean
  /** null without a membership. */
  subscription: Subscription | null
}

/** A plan card's button for each kind of visitor. */
export function planLabel(level: MembershipLevel, { isLoggedIn, subscription }: Visitor): PlanLabel {
  const name = levelText(level.key)
  if (!isLoggedIn) return { label: `Select ${name}`, action: 'select' }
  if (!subscription || !isMembershipCurrent(subscription)) return { label: `Select ${name}`, action: 'checkout' }
  if (subscription.membershipLevel.key === level.key)
    return { label: 'Current Plan', action: 'none', reason: 'This is your current membership.' }
  if (subscription.kind === 'ONE_TIME')
    return { label: 'Not Available', action: 'none', reason: "Life memberships don't change; you're set." }
  if (level.isRecurring) return { label: 'Manage Subscription/Billing', action: 'manage' }
  return { label: `Switch to ${name}`, action: 'checkout' }
}

/** Whether the member can change to another level. */
export function canChangeLevel(subscription: Subscription | null): boolean {
  return subscription !== null && subscription.kind === 'RECURRING' && isMembershipCurrent(subscription)
}

/**
 * A membership counts while it is active and during the grace period of a failed renewal
 * (docs/product-rules.md#membership-status).
 */
export function isMembershipCurrent({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'ACTIVE' || status === 'PAST_DUE'
}

/** A level's key as text: 'annual member'. */
export function levelText(key: string): string {
  return key.replaceAll('_', ' ')
}
