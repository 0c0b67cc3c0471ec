import { formatLongDate } from '#contract/dates/dates.ts'
import type { Subscription } from '#contract/public/account.ts'
import { priceAmount, pricePeriod } from '#contract/money.ts'
import { paths } from '#web/app/paths.ts'
import { membershipDates, statusLabel } from '#web/shared/membership-text.rules.ts'
import { canChangeLevel, isMembershipCurrent } from '#web/shared/plan-label.rules.ts'
import { Badge } from '#web/ui/badge.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Link } from '#web/ui/link.tsx'
import type { AccountPageProps } from '../account-frame.tsx'
import { Box } from '../box.tsx'
import { RollsBox } from '../rolls/rolls-box.tsx'
import { MembershipActions, PastDueBanner } from './membership-actions.tsx'
import { MembershipPayments } from './membership-payments.tsx'
import { Statements } from './statements.tsx'
import { RefreshMembership, RefreshProblem } from './refresh-membership.tsx'

/** Level, renewal and payments of the member. */
export default function MembershipPage({ account, ...doing }: AccountPageProps) {
  const { subscription } = account
  const isPastDue = subscription?.status === 'PAST_DUE'
  return (
    <div className="account-stack">
      {isPastDue && <PastDueBanner subscription={subscription} />}
      <Box
        title="Membership"
        aside={<RefreshMembership {...doing} />}
        footer="Card details are stored by our payment provider, never by us."
      >
        <RefreshProblem {...doing} />
        {subscription ? (
          <Details subscription={subscription} />
        ) : (
          <p>You have no membership yet. Choose one and take your place at the table.</p>
        )}
        <MembershipActions subscription={subscription} isAskedAbove={isPastDue} />
        {canChangeLevel(subscription) && (
          <p className="small">
            <Link to={paths.becomeAMember()}>Change level</Link>
          </p>
        )}
      </Box>
      <RollsBox {...doing} />
      <MembershipPayments version={account} />
      <Statements version={account} />
      {subscription && isMembershipCurrent(subscription) && subscription.kind === 'RECURRING' && (
        <Box title="End my membership">
          <p className="soft">{endSentence(subscription)}</p>
        </Box>
      )}
    </div>
  )
}

function Details({ subscription }: { subscription: Subscription }) {
  const { membershipLevel: level, kind, status } = subscription
  const { label, tone } = statusLabel(status)
  return (
    <>
      <p>
        <span className="visually-hidden">Status: </span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <KeyValueList
        items={[
          { label: 'Level', value: level.name },
          {
            label: 'Dues',
            value: kind === 'ONE_TIME' ? 'Lifetime membership' : `${priceAmount(level)} ${pricePeriod(level)}`,
          },
          ...membershipDates(subscription),
        ]}
      />
    </>
  )
}

/** What happens if the member does nothing, and how to stop a renewal. */
function endSentence({ renewal, cancelDate, nextBillDate }: Subscription): string {
  if (renewal === 'by-hand' || renewal === 'stopped')
    return `Your membership does not renew by itself. If you do nothing, it ends${cancelDate ? ` on ${formatLongDate(cancelDate)}` : ''}. Your account stays.`
  return `Cancel the renewal under Manage billing. Your membership then runs to the end of the time you paid for${nextBillDate ? `, ${formatLongDate(nextBillDate)}` : ''}, and your account stays.`
}
