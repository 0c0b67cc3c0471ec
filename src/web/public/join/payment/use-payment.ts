import { useEffect, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { paymentStatus, verifyCheckoutSession } from '#contract/membership.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { pause } from '#web/api/pause.ts'
import { logIn } from '#web/features/auth/session.ts'
import { missingPart, stillProcessing, verificationProblem, type PaymentProblem } from './payment.rules.ts'

export type Payment =
  | { step: 'loading' }
  | { step: 'processing' }
  | { step: 'paid' }
  | ({ step: 'problem' } & PaymentProblem)

export interface ReturnFromCheckout {
  session_id?: string
  nonce?: string
}

/** Verifies the session of the return address and waits, about 90 seconds, until its payment has arrived. */
export function usePayment(address: ReturnFromCheckout | null): { payment: Payment; retry(): void } {
  const [payment, setPayment] = useState<Payment>({ step: 'loading' })
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    if (!address) return
    let isCurrent = true
    void confirm(address, {
      isWanted: () => isCurrent,
      show: (next) => isCurrent && setPayment(next),
    })
    return () => {
      isCurrent = false
    }
  }, [address, attempt])

  return { payment, retry: () => setAttempt(attempt + 1) }
}

interface Watcher {
  isWanted(): boolean
  show(payment: Payment): void
}

async function confirm(address: ReturnFromCheckout, { isWanted, show }: Watcher): Promise<void> {
  const missing = missingPart(address)
  if (missing) return show({ step: 'problem', ...missing })

  const session = { session_id: address.session_id ?? '', nonce: address.nonce ?? '' }
  show({ step: 'loading' })
  try {
    let isPaid = await verifySession(session)
    if (!isPaid) {
      show({ step: 'processing' })
      isPaid = (await becomesReady(session.session_id, isWanted)) && (await verifySession(session))
    }
    show(isPaid ? { step: 'paid' } : { step: 'problem', ...stillProcessing })
  } catch (failure) {
    const { status = 0, sentence } = failure instanceof CallFailure ? failure : {}
    show({ step: 'problem', ...verificationProblem(status, sentence) })
  }
}

/** Logs in when the server hands out a token: once, to the browser that paid (docs/product-rules.md#return-from-payment). */
async function verifySession(session: { session_id: string; nonce: string }): Promise<boolean> {
  const { ready, token, user } = await call(verifyCheckoutSession, { query: session })
  if (ready && token) logIn({ token, user })
  return ready
}

async function becomesReady(sessionId: string, isWanted: () => boolean): Promise<boolean> {
  for (let attempt = 0; attempt < limits.payment.pollAttempts && isWanted(); attempt++) {
    await pause(limits.payment.pollIntervalMs)
    // A question that got no answer is one of the 45, nothing more.
    const { ready } = await call(paymentStatus, { query: { sessionId } }).catch(() => ({ ready: false }))
    if (ready) return true
  }
  return false
}
