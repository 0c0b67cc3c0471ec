import { useState } from 'react'
import { stopRenewal, type ConsoleMember } from '#contract/console-member.ts'
import { formatLongDate } from '#contract/dates.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { HandPaymentForm, TermForm } from './member-term-forms.tsx'
import { MemberStateBadge } from './member-state.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import type { MemberDesk } from './use-member.ts'

const RENEWALS = {
  automatic: 'By card, automatically',
  stopped: 'Stopped; it ends with what is paid for',
  'by-hand': 'By hand, term by term',
  none: 'None',
}

/** What somebody holds, until when, and what an officer can do about it. */
export function MemberTerm({ member, desk }: { member: ConsoleMember; desk: MemberDesk }) {
  const [dialog, setDialog] = useState<'term' | 'pay' | 'stop' | null>(null)
  const { id, subscription, endsAt, state, version, hasSubscription, mayChange, mayChangeMoney } = member
  const { reload } = desk.loaded
  const close = () => setDialog(null)
  const isOpen = state !== 'DISABLED' && state !== 'LEFT'
  const hasEnded = state === 'CANCELED' || state === 'EXPIRED'
  const isForLife = subscription?.kind === 'ONE_TIME' && state === 'ACTIVE'
  const isCharged = hasSubscription && subscription?.renewal === 'automatic' && state === 'ACTIVE'
  const take = (changed: ConsoleMember) => {
    desk.loaded.setValue(changed)
    close()
  }
  return (
    <Sheet title="Membership" aside={<MemberStateBadge state={state} />}>
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
        <p>There has never been a membership.</p>
      )}
      {isOpen && !isForLife && (mayChange || mayChangeMoney) && (
        <>
          {isCharged && (
            <p className="small soft">
              The card provider renews it. Stop the renewal first, to move its end or to record a payment by hand.
            </p>
          )}
          <div className="buttons">
            {mayChangeMoney && !isCharged && (
              <Button variant="line" size="small" onClick={() => setDialog('pay')}>
                Record a check or cash
              </Button>
            )}
            {mayChange && !isCharged && (
              <Button variant="line" size="small" onClick={() => setDialog('term')}>
                Give a complimentary term
              </Button>
            )}
            {mayChange && hasSubscription && subscription?.renewal === 'automatic' && (
              <Button variant="line" size="small" onClick={() => setDialog('stop')}>
                Stop the renewal
              </Button>
            )}
          </div>
        </>
      )}
      <Dialog open={dialog === 'term'} onClose={close} title="A complimentary term" width="34rem">
        {dialog === 'term' && <TermForm member={member} onSaved={take} reload={reload} />}
      </Dialog>
      <Dialog open={dialog === 'pay'} onClose={close} title="Record a check or cash" width="36rem">
        {dialog === 'pay' && <HandPaymentForm member={member} onSaved={take} reload={reload} />}
      </Dialog>
      <ReasonDialog
        open={dialog === 'stop'}
        onClose={close}
        title="Stop the renewal?"
        doing={{ label: 'Stop the renewal', busyLabel: 'Asking the card provider', isDanger: true }}
        send={async (reason) => {
          const body = { reason, version }
          take(await heedOthers(reload, () => callAsOfficer(stopRenewal, { params: { id }, body })))
        }}
      >
        <p>
          {state === 'PAST_DUE'
            ? 'Nothing more is charged, and what is owed is canceled. The membership ends at once.'
            : `Nothing more is charged. The membership goes on ${endsAt ? `until ${formatLongDate(endsAt)} ` : ''}and ends then; the member can resume it until that day.`}{' '}
          The member gets an email.
        </p>
      </ReasonDialog>
    </Sheet>
  )
}
