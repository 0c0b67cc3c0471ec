import type { ApprovalAct } from '#contract/console/approvals.ts'
import type { Ending } from '#contract/console/member-account.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import type { DeletionService } from '#server/features/my-account/deletion/deletion.service.ts'
import type { EmailChangeService } from '#server/features/my-account/email-change/email-change.service.ts'
import type { ApprovalRequest } from '#server/features/officers/approvals/approval.repository.ts'
import type { ApprovableAct } from '#server/features/officers/approvals/approval.service.ts'
import { consentVersion } from '#server/features/officers/approvals/approval-version.service.ts'
import { isUnrecorded } from './account-end.rules.ts'
import type { AccountChecks } from './account-checks.service.ts'

const ADDRESS_MOVED =
  'The address of this account has changed since this request. Decline it; the officer can make a new request.'

/** The changes of an account with a role that a second officer must approve. */
export function createApprovableActs({
  emailChanges,
  deletions,
  checks: { lockPerson, requireFree, sentencesOfEnd, nameOf },
}: {
  emailChanges: EmailChangeService
  deletions: DeletionService
  checks: AccountChecks
}): Record<ApprovalAct, ApprovableAct> {
  const ownerOf = ({ subjectId }: ApprovalRequest): Promise<string> => nameOf(subjectId)

  const endingOf = ({ payload }: ApprovalRequest): Ending => (payload['ending'] === 'deceased' ? 'deceased' : 'request')

  return {
    'member.change_email': {
      permission: 'members.change',
      title: async (request) => `Change the email address of ${await ownerOf(request)}`,
      async describe(handle, { subjectId, payload }) {
        const account = await findAccount(handle, subjectId)
        const sentences = [
          `The address changes from ${account?.email ?? payload['before']} to ${payload['after']}.`,
          `An email goes to ${payload['after']}. Nothing changes until the link in it is confirmed, within 3 days.`,
          'The current address is notified at the same time and can stop the change.',
          'On confirmation, every device is signed out and the member must choose a new password.',
        ]
        return { sentences, version: consentVersion(sentences) }
      },
      async carryOut(tx, { subjectId, payload, askedBy, reason }, approvedBy) {
        const account = await lockPerson(tx, 'askMemberEmail', askedBy, subjectId)
        if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
        // The address has changed since the request.
        if (account.email !== payload['before']) throw new Problem('APPROVAL_STALE', { message: ADDRESS_MOVED })
        const email = String(payload['after'])
        await requireFree(tx, account, email)
        await emailChanges.requestAsOfficer(tx, { accountId: subjectId, email, askedBy, approvedBy, reason })
      },
    },

    'member.end': {
      permission: 'members.change',
      title: async (request) =>
        `End the account of ${await ownerOf(request)}, ${endingOf(request) === 'deceased' ? 'who died' : 'on request'}`,
      async describe(handle, request) {
        const account = await findAccount(handle, request.subjectId)
        const sentences = account ? await sentencesOfEnd(handle, account, endingOf(request)) : []
        return { sentences, version: consentVersion(sentences) }
      },
      async carryOut(tx, request, approvedBy) {
        const { subjectId: accountId, askedBy, reason } = request
        const account = await lockPerson(tx, 'endMember', askedBy, accountId)
        // The record of the death was undone since the request.
        if (isUnrecorded(account, endingOf(request))) throw new Problem('DEATH_NOT_RECORDED')
        await deletions.beginEnd(tx, { accountId, ending: endingOf(request), askedBy, approvedBy, reason })
      },
      finish: ({ subjectId }) => deletions.finishEnd(subjectId),
    },
  }
}
