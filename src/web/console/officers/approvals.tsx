import { useState } from 'react'
import {
  approveRequest,
  declineRequest,
  listApprovals,
  withdrawRequest,
  type Approval,
  type ApprovalState,
} from '#contract/console-approvals.ts'
import { formatLongDate } from '#contract/dates.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { ReasonDialog } from '#web/features/members/reason-dialog.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Link } from '#web/ui/link.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** What one officer asked for and a second one decides. */
export default function ApprovalsPage() {
  const found = useLoaded('approvals', () => callAsOfficer(listApprovals))
  const action = useAction()
  const [approving, setApproving] = useState<Approval | null>(null)
  const [declining, setDeclining] = useState<Approval | null>(null)

  const approve = ({ id, version, title }: Approval) =>
    action.run(
      id,
      async () => {
        try {
          const call = () => callAsOfficer(approveRequest, { params: { id }, body: { version } })
          found.setValue(await heedOthers(found.reload, call))
        } catch (failure) {
          // Others may have decided it, or it can no longer be done: show how it is now.
          found.reload()
          throw failure
        }
      },
      `Approved: ${title}.`,
    )

  return (
    <ConsolePage
      title="Requests"
      lead="Changes that one officer requested and a second officer must approve. Nothing happens until then."
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={found} what="the requests">
        {({ approvals }) => {
          const waiting = approvals.filter(({ state }) => state === 'waiting')
          const decided = approvals.filter(({ state }) => state !== 'waiting')
          return (
            <div className="member-sheets">
              {waiting.length === 0 && <p className="sheet">No requests are waiting for a decision.</p>}
              {waiting.map((approval) => (
                <WaitingRequest
                  key={approval.id}
                  approval={approval}
                  isBusy={action.busy === approval.id}
                  onApprove={() => setApproving(approval)}
                  onDecline={() => setDeclining(approval)}
                  onWithdraw={() =>
                    void action.run(
                      approval.id,
                      async () =>
                        found.setValue(await callAsOfficer(withdrawRequest, { params: { id: approval.id }, body: {} })),
                      'The request was withdrawn.',
                    )
                  }
                />
              ))}
              {decided.length > 0 && (
                <Sheet title="Decided in the last 30 days">
                  <ul className="records">
                    {decided.map((approval) => (
                      <DecidedRequest key={approval.id} approval={approval} />
                    ))}
                  </ul>
                </Sheet>
              )}
            </div>
          )
        }}
      </WhenLoaded>
      <Dialog open={approving !== null} onClose={() => setApproving(null)} title="Approve this request?" width="36rem">
        {approving && (
          <>
            <p>
              <strong>{approving.title}</strong>
            </p>
            <Sentences approval={approving} />
            <div className="buttons">
              <Button
                onClick={() => {
                  void approve(approving)
                  setApproving(null)
                }}
              >
                Approve
              </Button>
              <Button variant="line" onClick={() => setApproving(null)}>
                Not now
              </Button>
            </div>
          </>
        )}
      </Dialog>
      <ReasonDialog
        open={declining !== null}
        onClose={() => setDeclining(null)}
        title="Decline this request?"
        doing={{ label: 'Decline', busyLabel: 'Declining', isDanger: true }}
        send={async (reason) => {
          if (!declining) return
          found.setValue(await callAsOfficer(declineRequest, { params: { id: declining.id }, body: { reason } }))
          action.say('The request was declined. The officer who asked gets an email with your reason.')
          setDeclining(null)
        }}
      >
        {declining && <p>{declining.title}. Nothing is changed.</p>}
      </ReasonDialog>
    </ConsolePage>
  )
}

interface WaitingRequestProps {
  approval: Approval
  isBusy: boolean
  onApprove(): void
  onDecline(): void
  onWithdraw(): void
}

function WaitingRequest({ approval, isBusy, onApprove, onDecline, onWithdraw }: WaitingRequestProps) {
  const { title, subject, reason, askedBy, askedAt, expiresAt, mayApprove, mayDecline, mayWithdraw } = approval
  return (
    <Sheet title={title} aside={<Badge tone="warn">Waiting</Badge>}>
      <p className="break">
        {askedBy} asked on {formatLongDate(askedAt)}: {reason}
      </p>
      <Sentences approval={approval} />
      <p className="small soft">
        It expires on {formatLongDate(expiresAt)}.{' '}
        <Link to={`/console/members/${subject.id}`}>The page of {subject.name}</Link>
      </p>
      {!mayApprove && (
        <p className="small">
          {mayWithdraw
            ? 'You asked for this, so another officer has to approve it.'
            : 'This is about your own account, so another officer has to approve it.'}
        </p>
      )}
      <div className="buttons">
        {mayApprove && (
          <Button size="small" busy={isBusy} busyLabel="Carrying it out" onClick={onApprove}>
            Approve
          </Button>
        )}
        {mayDecline && (
          <Button variant="line" size="small" onClick={onDecline}>
            Decline
          </Button>
        )}
        {mayWithdraw && (
          <Button variant="line" size="small" busy={isBusy} busyLabel="Withdrawing" onClick={onWithdraw}>
            Withdraw
          </Button>
        )}
      </div>
    </Sheet>
  )
}

function Sentences({ approval: { sentences } }: { approval: Approval }) {
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence} className="break">
          {sentence}
        </li>
      ))}
    </ul>
  )
}

const STATES: Record<Exclude<ApprovalState, 'waiting'>, [words: string, tone: 'ok' | 'quiet' | 'bad']> = {
  approved: ['Approved', 'ok'],
  declined: ['Declined', 'bad'],
  withdrawn: ['Withdrawn', 'quiet'],
  expired: ['Expired', 'quiet'],
}

function DecidedRequest({ approval }: { approval: Approval }) {
  const { title, state, subject, askedBy, decidedBy, decidedAt, note } = approval
  const [words, tone] = STATES[state === 'waiting' ? 'expired' : state]
  return (
    <li>
      <div>
        <p>
          <Link to={`/console/members/${subject.id}`}>{title}</Link> <Badge tone={tone}>{words}</Badge>
        </p>
        <p className="small soft">
          Asked by {askedBy}
          {decidedAt && ` · ${formatLongDate(decidedAt)}`}
          {decidedBy && ` · ${decidedBy}`}
          {note && ` · ${note}`}
        </p>
      </div>
    </li>
  )
}
