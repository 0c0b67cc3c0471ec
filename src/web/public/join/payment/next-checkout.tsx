import { useEffect, useRef, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ConfirmPasswordForm } from '../verification/confirm-password-form.tsx'
import { verificationErrorMessage } from '../verification/use-verification.ts'
import type { Proof, VerifyEmailReply } from '../verification/verification-calls.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { CheckoutError, checkoutErrorMessage } from './checkout-error.ts'
import { levelText } from '#web/shared/plan-label.rules.ts'

interface NextCheckoutProps {
  reply: VerifyEmailReply
  proof: Proof
  verify(proof: Proof, password?: string): Promise<VerifyEmailReply | null>
  /** Called when a free level is now active. */
  onCompleted(): void
}

/**
 * `counting`: continues automatically after 1.2 s. `stayed`: a button continues. `proving`: asks for the password
 * chosen at registration.
 */
type Step = 'counting' | 'stayed' | 'starting' | 'proving'

/**
 * Leads from a verified address to payment. Continues automatically only in a visible tab with a grant
 * (docs/product-rules.md#checkout-after-verification): a mail scanner or another device gets a button and is asked for
 * the password, and who comes back from the payment gets the button.
 */
export function NextCheckout({ reply, proof, verify, onCompleted }: NextCheckoutProps) {
  const { stripePublishableKey } = useFrameContents()
  const [step, setStep] = useState<Step>(() => initialStep(reply))
  const [problem, setProblem] = useState<string | null>(null)
  const problemRef = useRef<HTMLDivElement | null>(null)
  const level = levelText(reply.nextLevelKey ?? '')

  useEffect(() => {
    if (step !== 'counting') return
    const timer = setTimeout(() => void begin(reply), limits.checkoutAutoStartMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `begin` reads nothing that changes while counting
  }, [step, reply])

  useEffect(() => {
    if (problem) problemRef.current?.focus()
  }, [problem])

  async function begin(granted: VerifyEmailReply) {
    setStep('starting')
    setProblem(null)
    try {
      const { checkoutAfterVerification } = await import('./checkout.ts')
      const outcome = await checkoutAfterVerification(toPerson(granted), stripePublishableKey)
      if (outcome === 'completed') return onCompleted()
      setStep('stayed')
    } catch (failure) {
      setProblem(explainStart(failure))
      // The 30-minute grant expired or its cookie is gone; the password grants access again.
      setStep(needsVerification(failure) ? 'proving' : 'stayed')
    }
  }

  async function prove(password: string) {
    const granted = await verify(proof, password)
    if (granted?.granted) await begin(granted)
    else if (granted) throw new CheckoutError('Failed to start checkout')
  }

  const banner = problem && (
    <div className="form-messages">
      <Banner tone="bad" role="alert" ref={problemRef}>
        {problem}
      </Banner>
    </div>
  )

  if (step === 'counting') {
    return (
      <>
        <Spinner text="Next: payment for your membership." />
        <p>
          <a
            href="#main"
            onClick={(event) => {
              event.preventDefault()
              setStep('stayed')
            }}
          >
            Stay here
          </a>
        </p>
      </>
    )
  }
  if (step === 'proving') {
    return (
      <>
        {banner}
        <p>One step left in your {level} registration. Enter your password to continue.</p>
        <ConfirmPasswordForm onPassword={prove} explain={explainProof} />
      </>
    )
  }
  return (
    <>
      {banner}
      <p>One step left in your {level} registration.</p>
      <div className="buttons">
        <Button busy={step === 'starting'} busyLabel="One moment" onClick={() => void begin(reply)}>
          Continue to payment
        </Button>
      </div>
    </>
  )
}

function initialStep({ granted }: VerifyEmailReply): Step {
  if (!granted) return 'proving'
  return document.visibilityState === 'visible' && !isReturn() ? 'counting' : 'stayed'
}

/** Whether Back or Forward opened this document: who left the payment by Back would be led there again. */
function isReturn(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'back_forward'
}

function toPerson({ user, nextLevelKey }: VerifyEmailReply) {
  if (!user || nextLevelKey === undefined) throw new CheckoutError('Failed to start checkout')
  return { levelKey: nextLevelKey, email: user.email, firstName: user.name.first, lastName: user.name.last }
}

function needsVerification(failure: unknown): boolean {
  return failure instanceof CallFailure && failure.code === 'VERIFICATION_REQUIRED'
}

function explainStart(failure: unknown): string {
  return checkoutErrorMessage(failure, {
    refused: 'Failed to start checkout',
    network: 'Network error. Please try again.',
  })
}

function explainProof(failure: unknown): string {
  return failure instanceof CheckoutError ? failure.message : verificationErrorMessage(failure)
}
