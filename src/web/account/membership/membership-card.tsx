import type { ReactNode } from 'react'
import type { Subscription } from '#contract/account.ts'
import { priceAmount, pricePeriod } from '#contract/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { membershipDates, statusWords } from './membership-words.rules.ts'

interface MembershipSheetProps {
  /** Null without a membership. */
  subscription: Subscription | null
  isRefreshing: boolean
  refreshProblem: string | null
  onRefresh(): void
  /** What can be done about it: billing, or choosing a membership. */
  children: ReactNode
}

export function MembershipSheet({
  subscription,
  isRefreshing,
  refreshProblem,
  onRefresh,
  children,
}: MembershipSheetProps) {
  return (
    <Sheet
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
    </Sheet>
  )
}

function Membership({ subscription }: { subscription: Subscription }) {
  const { membershipLevel, kind, status } = subscription
  const { words, tone } = statusWords(status)
  return (
    <>
      <p>
        <span className="visually-hidden">Status: </span>
        <Badge tone={tone}>{words}</Badge>
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
