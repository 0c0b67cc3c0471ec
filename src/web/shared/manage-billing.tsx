import { useEffect, useRef, useState } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { portalErrorMessage } from './portal-error.ts'

interface ManageBillingProps {
  label: string
  variant?: 'solid' | 'line'
}

/** Opens the card provider's billing portal. */
export function ManageBilling({ label, variant = 'solid' }: ManageBillingProps) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const problemRef = useRef<HTMLDivElement | null>(null)

  useEffect(() => {
    if (problem) problemRef.current?.focus()
  }, [problem])

  async function open() {
    setBusy(true)
    setProblem(null)
    try {
      const { openBillingPortal } = await import('./open-billing-portal.ts')
      await openBillingPortal()
    } catch (failure) {
      setProblem(portalErrorMessage(failure))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="flow">
      {problem && (
        <Banner tone="bad" role="alert" ref={problemRef}>
          {problem}
        </Banner>
      )}
      <Button variant={variant} size="small" busy={isBusy} busyLabel="One moment" onClick={() => void open()}>
        {label}
      </Button>
    </div>
  )
}
