import { useState } from 'react'
import { withdrawRequest } from '#contract/console/approvals.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import { ENDING_NAMES, withdrawMemberEmail } from '#contract/console/member-account.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Link } from '#web/ui/link.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChangeEmailForm } from './change-email-form.tsx'
import { EndMemberForm } from './end-member-form.tsx'
import type { MemberEditor } from './use-member.ts'

/** Email change, ending the account, and pending requests for either. */
export function MemberAccount({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const [dialog, setDialog] = useState<'email' | 'end' | null>(null)
  const { id, name, state, mayChange, emailChange, approvals = [], ended, isOwn } = member
  const close = () => setDialog(null)
  const isMerged = member.merges.some(({ isKept, undoneAt }) => !isKept && undoneAt === null)
  const mayEnd = mayChange && !isOwn && !isMerged && state !== 'LEFT'
  const mayChangeEmail = mayEnd && state !== 'DISABLED'
  if (!mayEnd && !ended && !emailChange && approvals.length === 0 && !(isOwn && mayChange)) return null

  function take(changed: ConsoleMember, done: string) {
    desk.loaded.setValue(changed)
    desk.action.showDone(done)
    close()
  }

  return (
    <Card title="Account">
      {ended && (
        <p>
          An officer ended this account on {formatLongDate(ended.at)}: {ENDING_NAMES[ended.as].toLowerCase()}.
        </p>
      )}
      {isOwn && mayChange && <p>This is your own account. Change it on your account page, or ask another officer.</p>}
      {emailChange && (
        <Banner tone="note" title="A new email address is waiting for confirmation">
          <p className="break">
            {emailChange.email}, until {formatLongDate(emailChange.expiresAt)}.{' '}
            {emailChange.askedBy === null
              ? 'Requested by the member.'
              : `Requested by ${emailChange.askedBy}: ${emailChange.reason}`}
          </p>
          {mayChange && (
            <Button
              variant="line"
              size="small"
              busy={desk.action.busy === 'withdraw-email'}
              busyLabel="Withdrawing"
              onClick={() =>
                void desk.runAction(
                  'withdraw-email',
                  () => saveAsOfficer(withdrawMemberEmail, { params: { id }, body: {} }),
                  'The change was withdrawn. Its link no longer works.',
                )
              }
            >
              Withdraw change
            </Button>
          )}
        </Banner>
      )}
      {approvals.map((approval) => (
        <Banner key={approval.id} tone="note" title="Waiting for a second officer">
          <p>
            {approval.title}. Requested by {approval.askedBy}; expires on {formatLongDate(approval.expiresAt)}.{' '}
            <Link to="/console/approvals">All requests</Link>
          </p>
          {approval.mayWithdraw && (
            <Button
              variant="line"
              size="small"
              busy={desk.action.busy === approval.id}
              busyLabel="Withdrawing"
              onClick={() =>
                void desk.action.run(
                  approval.id,
                  async () => {
                    await callAsOfficer(withdrawRequest, { params: { id: approval.id }, body: {} })
                    desk.loaded.reload()
                  },
                  'The request was withdrawn.',
                )
              }
            >
              Withdraw request
            </Button>
          )}
        </Banner>
      ))}
      {mayEnd && (
        <div className="buttons">
          {mayChangeEmail && (
            <Button variant="line" size="small" onClick={() => setDialog('email')}>
              Change email address
            </Button>
          )}
          <Button variant="line" size="small" onClick={() => setDialog('end')}>
            End account
          </Button>
        </div>
      )}
      <Dialog open={dialog === 'email'} onClose={close} title="Change email address" width="34rem">
        {dialog === 'email' && <ChangeEmailForm member={member} onSaved={take} />}
      </Dialog>
      <Dialog open={dialog === 'end'} onClose={close} title={`End account of ${name.first} ${name.last}`} width="36rem">
        {dialog === 'end' && <EndMemberForm member={member} onSaved={take} />}
      </Dialog>
    </Card>
  )
}
