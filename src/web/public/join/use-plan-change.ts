import { useEffect, useRef, useState } from 'react'
import type { MembershipLevel } from '#contract/membership.ts'
import { explainPortal } from '#web/features/billing/explain-portal.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { explainCheckout } from './checkout-problem.ts'

/** What a member's click on a plan starts: a checkout, or the billing portal. `onCompleted`: a free level is active now. */
export function usePlanChange(onCompleted: () => void) {
  const { stripePublishableKey } = useFrameContents()
  const [busyKey, setBusyKey] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const problemRef = useRef<HTMLDivElement | null>(null)

  useEffect(() => {
    if (problem) problemRef.current?.focus()
  }, [problem])

  async function begin({ key }: MembershipLevel, action: 'checkout' | 'manage') {
    if (busyKey !== null) return
    setBusyKey(key)
    setProblem(null)
    try {
      if (action === 'manage') {
        const { openBillingPortal } = await import('#web/features/billing/open-billing-portal.ts')
        await openBillingPortal(key)
      } else {
        const { checkoutAsMember } = await import('./checkout.ts')
        if ((await checkoutAsMember(key, stripePublishableKey)) === 'completed') onCompleted()
      }
    } catch (failure) {
      setProblem(
        action === 'manage'
          ? explainPortal(failure)
          : explainCheckout(failure, { refused: 'Checkout failed', network: 'Plan change failed' }),
      )
    } finally {
      setBusyKey(null)
    }
  }

  return {
    busyKey,
    problem,
    problemRef,
    begin: (level: MembershipLevel, action: 'checkout' | 'manage') => void begin(level, action),
  }
}
