import { useEffect, useState } from 'react'
import type { Subscription } from '#contract/account.ts'
import { formatLongDate } from '#contract/dates.ts'
import { getAccount } from '#web/features/account/get-account.ts'
import { currentToken, keepUser, useSession } from '#web/features/auth/session.ts'
import { hasRights } from './plan-label.rules.ts'

/**
 * What the server confirms of the member who is logged in; nothing for anybody else, since the address of this page proves
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
        keepUser(account.profile)
        setSubscription(account.subscription)
      },
      () => {
        // The page stands without it.
      },
    )
    return () => {
      isCurrent = false
    }
  }, [status])

  if (!subscription || !hasRights(subscription)) return null
  return (
    <p role="status">
      {subscription.membershipLevel.name}: {termWords(subscription)}.
    </p>
  )
}

function termWords({ kind, nextBillDate, cancelDate }: Subscription): string {
  if (kind === 'ONE_TIME') return 'yours for life'
  if (nextBillDate) return `renews on ${formatLongDate(nextBillDate)}`
  return cancelDate ? `active until ${formatLongDate(cancelDate)}` : 'active from today'
}
