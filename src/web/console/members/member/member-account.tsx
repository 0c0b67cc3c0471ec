import { withdrawRequest } from '#contract/console/approvals.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import { ENDING_NAMES, withdrawMemberEmail } from '#contract/console/member-account.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { memberRights } from './member-rights.rules.ts'
import type { MemberEditor } from './use-member.ts'

/** What awaits a confirmation or a second officer, and how the account ended. */
export function MemberRequests({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const { id, mayChange, emailChange, approvals = [], ended } = member
  return (
    <>
      {ended && (
        <Banner tone="note">
          An officer ended this account on {formatLongDate(ended.at)}: {ENDING_NAMES[ended.as].toLowerCase()}.
        </Banner>
      )}
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
    </>
  )
}

/** Another email address, and the end of the account. */
export function MemberAccount({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const { mayChange, isOwn } = member
  const rights = memberRights(member)
  if (!rights.end && !(isOwn && mayChange)) return null
  return (
    <Panel title="Account">
      {isOwn && mayChange && <p>This is your own account. Change it on your account page, or ask another officer.</p>}
      {rights.end && (
        <div className="buttons">
          {rights.email && (
            <Button variant="line" size="small" onClick={() => desk.openDialog('email')}>
              Change email address
            </Button>
          )}
          <Button variant="line" size="small" onClick={() => desk.openDialog('end')}>
            End account
          </Button>
        </div>
      )}
    </Panel>
  )
}
