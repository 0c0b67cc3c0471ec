import { sendPasswordReset, type ConsoleMember } from '#contract/console/member.ts'
import { previewBulk, startBulk, undoBulk } from '#contract/console/people/member-bulk.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { showToast } from '#web/console/ui/toasts.tsx'
import type { MemberEditor } from './use-member.ts'

/** Emails the member a link to choose a new password. */
export function resetPassword({ id, email }: ConsoleMember, desk: MemberEditor): Promise<boolean> {
  return desk.runAction(
    'reset',
    () => saveAsOfficer(sendPasswordReset, { params: { id }, body: {} }),
    `We’ve sent a password reset email to ${email}.`,
  )
}

/** Emails the member a link to renew, after a pause in which it can be undone. */
export function emailRenewalLink({ id, email }: ConsoleMember, { action }: MemberEditor): Promise<boolean> {
  const wanted = { action: 'renewal-link' as const, selection: { ids: [id] }, details: {} }
  return action.run('renewal-link', async () => {
    const { reached, skipped } = await callAsOfficer(previewBulk, { body: wanted })
    if (reached === 0) {
      const sentence = `No renewal link was sent: ${skipped[0]?.reason ?? 'the member was not found'}.`
      throw new CallFailure({ status: 409, sentence })
    }
    const run = await callAsOfficer(startBulk, { body: { ...wanted, reached } })
    showToast(`A renewal link goes to ${email} in a few seconds.`, {
      undo: async () => void (await callAsOfficer(undoBulk, { params: { id: run.id }, body: {} })),
    })
  })
}
