import { useEffect, useRef, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { PasswordProofForm } from '#web/features/auth/password-proof-form.tsx'
import { explainVerification } from '#web/features/auth/use-verification.ts'
import type { Proof, Verified } from '#web/features/auth/verification-calls.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/waiting.tsx'
import { CheckoutProblem, explainCheckout } from './checkout-problem.ts'
import { levelWords } from './plan-label.rules.ts'

interface NextCheckoutProps {
  reply: Verified
  proof: Proof
  verify(proof: Proof, password?: string): Promise<Verified | null>
  /** A free level is active now. */
  onCompleted(): void
}

/** `counting`: goes on by itself after 1.2 s. `stayed`: a button goes on. `proving`: the password chosen at registration is asked. */
type Step = 'counting' | 'stayed' | 'starting' | 'proving'

/**
 * The way from a verified address to payment. By itself only in a visible tab that was granted (docs/product-rules.md#checkout-after-verification): a mail scanner or
 * another device gets a button and is asked for the password.
 */
export function NextCheckout({ reply, proof, verify, onCompleted }: NextCheckoutProps) {
  const { stripePublishableKey } = useFrameContents()
  const [step, setStep] = useState<Step>(() => firstStep(reply))
  const [problem, setProblem] = useState<string | null>(null)
  const problemRef = useRef<HTMLDivElement | null>(null)
  const level = levelWords(reply.nextLevelKey ?? '')

  useEffect(() => {
    if (step !== 'counting') return
    const timer = setTimeout(() => void begin(reply), limits.checkoutAutoStartMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `begin` reads nothing that changes while the page counts
  }, [step, reply])

  useEffect(() => {
    if (problem) problemRef.current?.focus()
  }, [problem])

  async function begin(granted: Verified) {
    setStep('starting')
    setProblem(null)
    try {
      const { checkoutAfterVerification } = await import('./checkout.ts')
      const outcome = await checkoutAfterVerification(personOf(granted), stripePublishableKey)
      if (outcome === 'completed') return onCompleted()
      setStep('stayed')
    } catch (failure) {
      setProblem(explainStart(failure))
      // The 30 minutes of the grant are over, or its cookie is gone: the password opens the way again.
      setStep(isUnproven(failure) ? 'proving' : 'stayed')
    }
  }

  async function prove(password: string) {
    const granted = await verify(proof, password)
    if (granted?.granted) await begin(granted)
    else if (granted) throw new CheckoutProblem('Failed to start checkout')
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
        <Spinner text={`Taking you to the last step of joining as ${level}.`} />
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
        <p>One step is left to join as {level}. Type your password to go on.</p>
        <PasswordProofForm onPassword={prove} explain={explainProof} />
      </>
    )
  }
  return (
    <>
      {banner}
      <p>One step is left to join as {level}.</p>
      <div className="buttons">
        <Button busy={step === 'starting'} busyLabel="One moment" onClick={() => void begin(reply)}>
          Continue to payment
        </Button>
      </div>
    </>
  )
}

function firstStep({ granted }: Verified): Step {
  if (!granted) return 'proving'
  return document.visibilityState === 'visible' ? 'counting' : 'stayed'
}

function personOf({ user, nextLevelKey }: Verified) {
  if (!user || nextLevelKey === undefined) throw new CheckoutProblem('Failed to start checkout')
  return { levelKey: nextLevelKey, email: user.email, firstName: user.name.first, lastName: user.name.last }
}

function isUnproven(failure: unknown): boolean {
  return failure instanceof CallFailure && failure.code === 'VERIFICATION_REQUIRED'
}

function explainStart(failure: unknown): string {
  return explainCheckout(failure, { refused: 'Failed to start checkout', network: 'Network error. Please try again.' })
}

function explainProof(failure: unknown): string {
  return failure instanceof CheckoutProblem ? failure.message : explainVerification(failure)
}
