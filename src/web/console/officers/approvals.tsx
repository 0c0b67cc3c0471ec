import { useState } from 'react'
import {
  approveRequest,
  declineRequest,
  listApprovals,
  withdrawRequest,
  type Approval,
  type ApprovalState,
} from '#contract/console/approvals.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { ReasonDialog } from '../members/reason-dialog.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Link } from '#web/ui/link.tsx'
import { Card } from '#web/ui/card.tsx'

/** Requests of one officer that a second officer approves or declines. */
export default function ApprovalsPage() {
  const found = useLoaded(listApprovals)
  const action = useAction()
  const [approving, setApproving] = useState<Approval | null>(null)
  const [declining, setDeclining] = useState<Approval | null>(null)

  const approve = ({ id, version, title }: Approval) =>
    action.run(
      id,
      async () => {
        try {
          found.setValue(await callAsOfficer(approveRequest, { params: { id }, body: { version } }))
        } catch (failure) {
          // Another officer may have decided it, or it is no longer possible: show the current state.
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
            <div className="member-cards">
              {waiting.length === 0 && <p className="card">No requests are waiting for a decision.</p>}
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
                <Card title="Decided in the last 30 days">
                  <ul className="records">
                    {decided.map((approval) => (
                      <DecidedRequest key={approval.id} approval={approval} />
                    ))}
                  </ul>
                </Card>
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
                Cancel
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
          action.showDone('The request was declined. We’ll email your reason to the officer who made it.')
          setDeclining(null)
        }}
      >
        {declining && <p>{declining.title}. Nothing changes.</p>}
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
    <Card title={title} aside={<Badge tone="warn">Waiting</Badge>}>
      <p className="break">
        {askedBy} requested this on {formatLongDate(askedAt)}: {reason}
      </p>
      <Sentences approval={approval} />
      <p className="small soft">
        Expires on {formatLongDate(expiresAt)}. <Link to={`/console/members/${subject.id}`}>View {subject.name}</Link>
      </p>
      {!mayApprove && (
        <p className="small">
          {mayWithdraw
            ? 'You made this request, so another officer has to approve it.'
            : 'This is about your own account, so another officer has to approve it.'}
        </p>
      )}
      <div className="buttons">
        {mayApprove && (
          <Button size="small" busy={isBusy} busyLabel="Approving" onClick={onApprove}>
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
    </Card>
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
  const [label, tone] = STATES[state === 'waiting' ? 'expired' : state]
  return (
    <li>
      <div>
        <p>
          <Link to={`/console/members/${subject.id}`}>{title}</Link> <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="small soft">
          Requested by {askedBy}
          {decidedAt && ` · ${formatLongDate(decidedAt)}`}
          {decidedBy && ` · ${decidedBy}`}
          {note && ` · ${note}`}
        </p>
      </div>
    </li>
  )
}
