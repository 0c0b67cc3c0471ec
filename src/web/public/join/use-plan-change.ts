import { useEffect, useRef, useState } from 'react'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { portalErrorMessage } from '#web/shared/portal-error.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { checkoutErrorMessage } from './payment/checkout-error.ts'

/** Starts a checkout or the billing portal when a member clicks a plan. `onCompleted`: a free level is now active. */
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
        const { openBillingPortal } = await import('#web/shared/open-billing-portal.ts')
        await openBillingPortal(key)
      } else {
        const { checkoutAsMember } = await import('./payment/checkout.ts')
        if ((await checkoutAsMember(key, stripePublishableKey)) === 'completed') onCompleted()
      }
    } catch (failure) {
      setProblem(
        action === 'manage'
          ? portalErrorMessage(failure)
          : checkoutErrorMessage(failure, { refused: 'Checkout failed', network: 'Plan change failed' }),
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
