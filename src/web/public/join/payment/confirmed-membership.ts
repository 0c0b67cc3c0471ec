import { useEffect, useState } from 'react'
import type { Subscription } from '#contract/public/account.ts'
import { getAccount } from '#web/shared/get-account.ts'
import { currentToken, storeUser, useSession } from '#web/session/session.ts'
import { isMembershipCurrent } from '#web/shared/plan-label.rules.ts'

interface ConfirmedMembership {
  firstName: string
  subscription: Subscription
}

/**
 * The logged-in member's membership as the server confirms it; null for others, because this page's URL proves nothing
 * (docs/product-rules.md#success-pages-reveal-nothing).
 */
export function useConfirmedMembership(): ConfirmedMembership | null {
  const { status } = useSession()
  const [confirmed, setConfirmed] = useState<ConfirmedMembership | null>(null)

  useEffect(() => {
    if (status !== 'member' || currentToken() === null) return
    let isCurrent = true
    getAccount().then(
      ({ profile, subscription }) => {
        if (!isCurrent) return
        storeUser(profile)
        if (subscription && isMembershipCurrent(subscription))
          setConfirmed({ firstName: profile.name.first, subscription })
      },
      () => {
        // The page works without it.
      },
    )
    return () => {
      isCurrent = false
    }
  }, [status])

  return confirmed
}
