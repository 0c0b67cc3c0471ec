import { useState } from 'react'
import type { ConsoleMember } from '#contract/console/member.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { emailRenewalLink } from './member-acts.ts'
import { memberRights } from './member-rights.rules.ts'
import type { MemberEditor } from './use-member.ts'

const RENEWALS = {
  automatic: 'Auto-renew',
  stopped: 'Stopped; ends with the paid term',
  'by-hand': 'Manual renewal',
  none: 'None',
}

/** The membership, its end, and the actions an officer can take. */
export function MemberTerm({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const { subscription, endsAt, state, payments } = member
  const rights = memberRights(member)
  const hasEnded = state === 'CANCELED' || state === 'EXPIRED'
  const paid = payments?.filter(({ voided }) => voided === null)
  const currency = paid?.[0]?.currency
  return (
    <Panel title="Membership">
      {subscription ? (
        <KeyValueList
          items={[
            { label: 'Level', value: subscription.membershipLevel.name },
            { label: 'Began on', value: formatLongDate(subscription.startDate) },
            { label: hasEnded ? 'Ended' : 'Valid until', value: endsAt ? formatLongDate(endsAt) : 'For life' },
            ...(member.complimentary ? [{ label: 'Complimentary', value: member.complimentary }] : []),
            { label: 'Renewal', value: RENEWALS[subscription.renewal ?? 'none'] },
            ...(paid && currency
              ? [
                  {
                    label: 'Paid in all',
                    value: formatMoney(
                      paid.reduce((sum, one) => sum + one.amount - one.amountRefunded, 0),
                      currency,
                    ),
                  },
                ]
              : []),
          ]}
        />
      ) : (
        <p>No membership yet.</p>
      )}
      {rights.isCharged && rights.stop && (
        <p className="small soft">
          This membership renews by card. Stop the renewal before you change its end or record a payment.
        </p>
      )}
      {(rights.term || rights.stop) && (
        <div className="buttons">
          {rights.term && (
            <Button variant="line" size="small" onClick={() => desk.openDialog('term')}>
              Grant complimentary term
            </Button>
          )}
          {rights.stop && (
            <Button variant="line" size="small" onClick={() => desk.openDialog('stop')}>
              Stop renewal
            </Button>
          )}
        </div>
      )}
    </Panel>
  )
}

const SOON_MS = 60 * 86_400_000

/** Says that a membership without automatic renewal ends soon, or has ended. */
export function RenewalDue({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const [now] = useState(Date.now)
  const { endsAt, state } = member
  const rights = memberRights(member)
  if (!rights.renewalLink || endsAt === null || member.subscription?.renewal === 'automatic') return null
  const hasEnded = state === 'EXPIRED' || state === 'CANCELED'
  if (!hasEnded && Date.parse(endsAt) - now > SOON_MS) return null
  return (
    <Banner
      tone="warn"
      title={`${hasEnded ? 'The membership ended on' : 'The membership ends on'} ${formatLongDate(endsAt)}`}
    >
      <p>It does not renew by card.</p>
      <div className="buttons">
        <Button
          variant="line"
          size="small"
          busy={desk.action.busy === 'renewal-link'}
          busyLabel="Sending"
          onClick={() => void emailRenewalLink(member, desk)}
        >
          Send renewal link now
        </Button>
        {rights.term && (
          <Button variant="line" size="small" onClick={() => desk.openDialog('term')}>
            Extend membership
          </Button>
        )}
      </div>
    </Banner>
  )
}
