import type { BulkAction } from '#contract/console/people/member-bulk.ts'
import { errors } from '#contract/errors.ts'
import type { Role } from '#contract/access.ts'
import { actRefusal, type OfficerAct } from '#server/features/officers/officer-acts.rules.ts'
import type { MemberListRow } from '../member-list.repository.ts'

const ACTS: Record<BulkAction, OfficerAct> = {
  'renewal-link': 'sendResetLetter',
  'password-reset': 'sendResetLetter',
  complimentary: 'setTerm',
  note: 'addMemberNote',
}

export interface BulkContext {
  officer: { accountId: string; roles: readonly Role[] }
  /** Accounts with a current or future role. */
  officers: ReadonlySet<string>
  /** Accounts that got this email today already. */
  emailedToday: ReadonlySet<string>
}

/** Why an action skips a member, as a short reason; null if it reaches the member. */
export function skipReason(
  action: BulkAction,
  member: Pick<MemberListRow, 'id' | 'state' | 'renewal' | 'levelKey'>,
  { officer, officers, emailedToday }: BulkContext,
): string | null {
  const target = { accountId: member.id, holdsRole: officers.has(member.id) }
  const refusal = actRefusal(ACTS[action], officer, target)
  if (refusal === 'OWN_ACCOUNT') return 'your own account'
  if (refusal !== null) return errors[refusal].message
  if (member.state === 'LEFT') return 'account deleted'
  if (action === 'note') return null
  if (member.state === 'DISABLED') return 'account disabled'
  if (member.state === 'DECEASED') return 'deceased'
  if (action === 'password-reset') return emailedToday.has(member.id) ? 'already emailed today' : null
  if (member.renewal === 'never' && member.state === 'ACTIVE') return 'member for life'
  if (action === 'complimentary')
    return member.renewal === 'card' && member.state === 'ACTIVE' ? 'renews by card' : null
  if (member.levelKey === null) return 'no membership to renew'
  if (member.renewal === 'card' && member.state === 'ACTIVE') return 'renews by card'
  return emailedToday.has(member.id) ? 'already emailed today' : null
}

/** Counts the reasons, most frequent first, with some of the names. */
export function countReasons(
  skipped: readonly { name: string; reason: string }[],
  most: number,
): { reason: string; count: number; names: string[] }[] {
  const byReason = Map.groupBy(skipped, ({ reason }) => reason)
  return [...byReason]
    .map(([reason, some]) => ({ reason, count: some.length, names: some.slice(0, most).map(({ name }) => name) }))
    .toSorted((one, other) => other.count - one.count || one.reason.localeCompare(other.reason, 'en'))
}
