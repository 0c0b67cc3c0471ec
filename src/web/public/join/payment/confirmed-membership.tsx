import { useEffect, useState } from 'react'
import type { Subscription } from '#contract/public/account.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { getAccount } from '#web/shared/get-account.ts'
import { currentToken, storeUser, useSession } from '#web/session/session.ts'
import { isMembershipCurrent } from '#web/shared/plan-label.rules.ts'

/**
 * The logged-in member's membership as the server confirms it. Shows nothing to others, because this page's URL proves
 * nothing (docs/product-rules.md#success-pages-reveal-nothing).
 */
export function ConfirmedMembership() {
  const { status } = useSession()
  const [subscription, setSubscription] = useState<Subscription | null>(null)

  useEffect(() => {
    if (status !== 'member' || currentToken() === null) return
    let isCurrent = true
    getAccount().then(
      (account) => {
        if (!isCurrent) return
        storeUser(account.profile)
        setSubscription(account.subscription)
      },
      () => {
        // The page works without it.
      },
    )
    return () => {
      isCurrent = false
    }
  }, [status])

  if (!subscription || !isMembershipCurrent(subscription)) return null
  return (
    <p role="status">
      {subscription.membershipLevel.name}: {describeTerm(subscription)}.
    </p>
  )
}

function describeTerm({ kind, nextBillDate, cancelDate }: Subscription): string {
  if (kind === 'ONE_TIME') return 'yours for life'
  if (nextBillDate) return `renews on ${formatLongDate(nextBillDate)}`
  return cancelDate ? `active until ${formatLongDate(cancelDate)}` : 'active from today'
}
