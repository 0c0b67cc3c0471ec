import { useState } from 'react'
import { stopRenewal, type ConsoleMember } from '#contract/console/member.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Card } from '#web/ui/card.tsx'
import { OfflinePaymentForm, TermForm } from './member-term-forms.tsx'
import { MemberStateBadge } from './member-state.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import type { MemberEditor } from './use-member.ts'

const RENEWALS = {
  automatic: 'Auto-renew',
  stopped: 'Stopped; ends with the paid term',
  'by-hand': 'Manual renewal',
  none: 'None',
}

/** The membership, its end, and the actions an officer can update. */
export function MemberTerm({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const [dialog, setDialog] = useState<'term' | 'pay' | 'stop' | null>(null)
  const { id, subscription, endsAt, state, version, hasSubscription, mayChange, mayChangeMoney } = member
  const close = () => setDialog(null)
  const isOpen = state !== 'DISABLED' && state !== 'LEFT'
  const hasEnded = state === 'CANCELED' || state === 'EXPIRED'
  const isForLife = subscription?.kind === 'ONE_TIME' && state === 'ACTIVE'
  const isCharged = hasSubscription && subscription?.renewal === 'automatic' && state === 'ACTIVE'
  const update = (changed: ConsoleMember) => {
    desk.loaded.setValue(changed)
    close()
  }
  return (
    <Card title="Membership" aside={<MemberStateBadge state={state} />}>
      {subscription ? (
        <KeyValueList
          items={[
            { label: 'Level', value: subscription.membershipLevel.name },
            { label: 'Since', value: formatLongDate(subscription.startDate) },
            {
              label: hasEnded ? 'Ended' : 'Runs until',
              value: endsAt ? formatLongDate(endsAt) : 'for life',
            },
            ...(member.complimentary ? [{ label: 'Complimentary', value: member.complimentary }] : []),
            { label: 'Renewal', value: RENEWALS[subscription.renewal ?? 'none'] },
          ]}
        />
      ) : (
        <p>No membership yet.</p>
      )}
      {isOpen && !isForLife && (mayChange || mayChangeMoney) && (
        <>
          {isCharged && (
            <p className="small soft">
              This membership renews by card. Stop the renewal before you change its end or record a payment.
            </p>
          )}
          <div className="buttons">
            {mayChangeMoney && !isCharged && (
              <Button variant="line" size="small" onClick={() => setDialog('pay')}>
                Record payment
              </Button>
            )}
            {mayChange && !isCharged && (
              <Button variant="line" size="small" onClick={() => setDialog('term')}>
                Grant complimentary term
              </Button>
            )}
            {mayChange && hasSubscription && subscription?.renewal === 'automatic' && (
              <Button variant="line" size="small" onClick={() => setDialog('stop')}>
                Stop renewal
              </Button>
            )}
          </div>
        </>
      )}
      <Dialog open={dialog === 'term'} onClose={close} title="Grant complimentary term" width="34rem">
        {dialog === 'term' && <TermForm member={member} onSaved={update} />}
      </Dialog>
      <Dialog open={dialog === 'pay'} onClose={close} title="Record payment" width="36rem">
        {dialog === 'pay' && <OfflinePaymentForm member={member} onSaved={update} />}
      </Dialog>
      <ReasonDialog
        open={dialog === 'stop'}
        onClose={close}
        title="Stop renewal?"
        doing={{ label: 'Stop renewal', busyLabel: 'Stopping', isDanger: true }}
        send={async (reason) => {
          const body = { reason, version }
          update(await saveAsOfficer(stopRenewal, { params: { id }, body }))
        }}
      >
        <p>
          {state === 'PAST_DUE'
            ? 'Nothing more is charged, and the open payment is canceled. The membership ends immediately.'
            : `Nothing more is charged. The membership ends ${endsAt ? `on ${formatLongDate(endsAt)}` : 'with the paid term'}; the member can resume the renewal until then.`}{' '}
          The member gets an email.
        </p>
      </ReasonDialog>
    </Card>
  )
}
