import { permissionsOf, type Permission, type Role } from '#contract/access.ts'

/** `manager`: allowed for officers who also manage officers. */
type Allowed = 'allowed' | 'manager' | 'refused'

interface ActRule {
  permission: Permission
  /** On the officer's own account. */
  self: 'allowed' | 'refused'
  /** On the account of another person with a current or future role. */
  officer: Allowed
}

/**
 * What officers may do to a person's account: no officer gains permissions or money alone, and only officers who manage
 * officers may revoke another officer's permissions (decision record 27). Accounts without a role are open to every
 * officer with the permission. A new act is one line here.
 */
export const OFFICER_ACTS = {
  editMember: { permission: 'members.change', self: 'allowed', officer: 'manager' },
  /** One's own record is changed in the account. */
  editMemberRecord: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  removeFromDirectory: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  /** One's own card gets a new code in the account. */
  revokeMemberCard: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  disableMember: { permission: 'members.change', self: 'refused', officer: 'refused' },
  enableMember: { permission: 'members.change', self: 'refused', officer: 'manager' },
  reportDeath: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  dismissDeathReports: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  /** Also on who is added or removed. */
  answerRollObjection: { permission: 'members.notify', self: 'refused', officer: 'allowed' },
  /** One's own is given in the account. */
  recordRollCallAnswer: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  /** A recorded death suspends roles. */
  setPersonState: { permission: 'members.change', self: 'refused', officer: 'manager' },
  /** On an officer's account, a second officer must approve it first. */
  askMemberEmail: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  withdrawMemberEmail: { permission: 'members.change', self: 'allowed', officer: 'allowed' },
  /** On an officer's account, a second officer must approve it first. */
  endMember: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  addMemberNote: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  editMemberNote: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  deleteMemberNote: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  restoreMemberNote: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  sendResetLetter: { permission: 'members.change', self: 'allowed', officer: 'allowed' },
  resendLetter: { permission: 'members.change', self: 'allowed', officer: 'allowed' },
  resendReceipt: { permission: 'members.change', self: 'allowed', officer: 'allowed' },
  setTerm: { permission: 'members.change', self: 'refused', officer: 'allowed' },
  recordPayments: { permission: 'money.change', self: 'refused', officer: 'allowed' },
  voidPayment: { permission: 'money.change', self: 'refused', officer: 'allowed' },
  correctPayment: { permission: 'money.change', self: 'refused', officer: 'allowed' },
  stopRenewal: { permission: 'members.change', self: 'allowed', officer: 'allowed' },
  refundPayment: { permission: 'money.change', self: 'refused', officer: 'allowed' },
  refundRsvpOrder: { permission: 'money.change', self: 'refused', officer: 'allowed' },
  mergeMembers: { permission: 'members.change', self: 'refused', officer: 'manager' },
  undoMerge: { permission: 'members.change', self: 'refused', officer: 'manager' },
  decideCredential: { permission: 'credentials.decide', self: 'refused', officer: 'allowed' },
  askAboutCredential: { permission: 'credentials.decide', self: 'refused', officer: 'allowed' },
  confirmCredential: { permission: 'credentials.decide', self: 'refused', officer: 'allowed' },
  withdrawCredential: { permission: 'credentials.decide', self: 'refused', officer: 'allowed' },
  /** A row of an imported file that changes an existing account. */
  confirmImport: { permission: 'members.change', self: 'refused', officer: 'manager' },
  beginViewAs: { permission: 'members.view_as', self: 'refused', officer: 'refused' },
  giveRole: { permission: 'officers.change', self: 'refused', officer: 'allowed' },
  endRole: { permission: 'officers.change', self: 'allowed', officer: 'allowed' },
  /** A role assigned by the roll-over. */
  confirmRollOver: { permission: 'officers.change', self: 'refused', officer: 'allowed' },
} as const satisfies Record<string, ActRule>
export type OfficerAct = keyof typeof OFFICER_ACTS

/** Acts that have their own error code on an officer's account. */
const REFUSALS: Partial<Record<OfficerAct, 'IS_AN_OFFICER' | 'VIEW_OF_OFFICER'>> = {
  disableMember: 'IS_AN_OFFICER',
  beginViewAs: 'VIEW_OF_OFFICER',
}

export type ActRefusal = 'NOT_ALLOWED' | 'OWN_ACCOUNT' | 'OFFICER_ACCOUNT' | 'IS_AN_OFFICER' | 'VIEW_OF_OFFICER'

/** Returns why an officer with these roles may not perform the act; null if allowed. */
export function actRefusal(
  act: OfficerAct,
  actor: { accountId: string; roles: readonly Role[] },
  target: { accountId: string; holdsRole: boolean },
): ActRefusal | null {
  const rule: ActRule = OFFICER_ACTS[act]
  const permissions = permissionsOf(actor.roles)
  if (!permissions.includes(rule.permission)) return 'NOT_ALLOWED'
  const refusal = REFUSALS[act]
  if (actor.accountId === target.accountId) return rule.self === 'allowed' ? null : (refusal ?? 'OWN_ACCOUNT')
  if (!target.holdsRole || rule.officer === 'allowed') return null
  if (rule.officer === 'manager' && permissions.includes('officers.change')) return null
  return refusal ?? 'OFFICER_ACCOUNT'
}
