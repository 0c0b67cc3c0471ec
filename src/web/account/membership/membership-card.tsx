import type { ReactNode } from 'react'
import type { Subscription } from '#contract/public/account.ts'
import { priceAmount, pricePeriod } from '#contract/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Card } from '#web/ui/card.tsx'
import { membershipDates, statusLabel } from '#web/shared/membership-text.rules.ts'

interface MembershipCardProps {
  /** null without a membership. */
  subscription: Subscription | null
  isRefreshing: boolean
  refreshProblem: string | null
  onRefresh(): void
  /** The actions: billing, or choosing a membership. */
  children: ReactNode
}

export function MembershipCard({
  subscription,
  isRefreshing,
  refreshProblem,
  onRefresh,
  children,
}: MembershipCardProps) {
  return (
    <Card
      title="Membership"
      aside={
        <Button variant="line" size="small" busy={isRefreshing} busyLabel="Refreshing" onClick={onRefresh}>
          Refresh membership
        </Button>
      }
    >
      <div className="flow">
        {refreshProblem && (
          <Banner tone="bad" role="alert">
            {refreshProblem}
          </Banner>
        )}
        {subscription ? (
          <Membership subscription={subscription} />
        ) : (
          <p>You have no membership yet. Choose one and take your place at the table.</p>
        )}
        {children}
      </div>
    </Card>
  )
}

function Membership({ subscription }: { subscription: Subscription }) {
  const { membershipLevel, kind, status } = subscription
  const { label, tone } = statusLabel(status)
  return (
    <>
      <p>
        <span className="visually-hidden">Status: </span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="price">
        {membershipLevel.name}{' '}
        <small>
          {kind === 'ONE_TIME'
            ? 'Lifetime membership'
            : `${priceAmount(membershipLevel)} ${pricePeriod(membershipLevel)}`}
        </small>
      </p>
      <KeyValueList items={membershipDates(subscription)} />
    </>
  )
}
