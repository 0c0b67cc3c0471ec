import type { Subscription } from '#contract/account.ts'
import type { MembershipLevel } from '#contract/membership.ts'

export type PlanAction = 'select' | 'checkout' | 'manage' | 'none'

export interface PlanLabel {
  label: string
  /** What a click does: `select` opens the registration form, `none` is a disabled button. */
  action: PlanAction
  /** Why the button is disabled. */
  reason?: string
}

interface Visitor {
  isLoggedIn: boolean
  /** Null without a membership. */
  subscription: Subscription | null
}

/** What a plan card's button says and does for each kind of visitor. */
export function planLabel(level: MembershipLevel, { isLoggedIn, subscription }: Visitor): PlanLabel {
  const name = levelWords(level.key)
  if (!isLoggedIn) return { label: `Select ${name}`, action: 'select' }
  if (!subscription || !hasRights(subscription)) return { label: `Select ${name}`, action: 'checkout' }
  if (subscription.membershipLevel.key === level.key)
    return { label: 'Current Plan', action: 'none', reason: 'This is the membership you hold.' }
  if (subscription.kind === 'ONE_TIME')
    return { label: 'Not Available', action: 'none', reason: 'You are a member for life: there is nothing to change.' }
  if (level.isRecurring) return { label: 'Manage Subscription/Billing', action: 'manage' }
  return { label: `Switch to ${name}`, action: 'checkout' }
}

/** Whether there is another level to change to. */
export function mayChange(subscription: Subscription | null): boolean {
  return subscription !== null && subscription.kind === 'RECURRING' && hasRights(subscription)
}

/** A membership gives rights while it runs and while a failed renewal is in grace (docs/product-rules.md#membership-status). */
export function hasRights({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'ACTIVE' || status === 'PAST_DUE'
}

/** A level's key as words: 'annual member'. */
export function levelWords(key: string): string {
  return key.replaceAll('_', ' ')
}
