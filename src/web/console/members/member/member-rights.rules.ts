import type { ConsoleMember } from '#contract/console/member.ts'
import type { MemberDialog } from './use-member.ts'

/** What an officer may do on a member's page, by the state of the account and the membership. */
export interface MemberRights extends Record<MemberDialog, boolean> {
  /** Whether the card provider charges for it, so that officers stop the renewal first. */
  isCharged: boolean
  pay: boolean
  renewalLink: boolean
  reset: boolean
  enable: boolean
  merge: boolean
  note: boolean
}

export function memberRights(member: ConsoleMember): MemberRights {
  const { state, subscription, hasSubscription, mayChange, mayChangeMoney, mayViewAs, isOwn } = member
  const isOpen = state !== 'DISABLED' && state !== 'DECEASED' && state !== 'LEFT'
  const isMerged = member.merges.some(({ isKept, undoneAt }) => !isKept && undoneAt === null)
  const isForLife = subscription?.kind === 'ONE_TIME' && state === 'ACTIVE'
  const isAutomatic = hasSubscription && subscription?.renewal === 'automatic'
  const isCharged = isAutomatic && state === 'ACTIVE'
  const mayEnd = mayChange && !isOwn && !isMerged && state !== 'LEFT'
  return {
    isCharged,
    pay: mayChangeMoney && isOpen && !isForLife && !isCharged,
    term: mayChange && isOpen && !isForLife && !isCharged,
    stop: mayChange && isOpen && !isForLife && isAutomatic,
    edit: mayChange && isOpen,
    record: mayChange && isOpen && !isOwn,
    disable: mayChange && isOpen,
    email: mayEnd && isOpen,
    end: mayEnd,
    view: mayViewAs,
    renewalLink: mayChange && isOpen && !isForLife && !isCharged && subscription !== null,
    reset: mayChange && isOpen,
    enable: mayChange && state === 'DISABLED' && !isMerged,
    merge: mayChange && isOpen,
    note: mayChange && !isOwn && state !== 'LEFT',
  }
}
