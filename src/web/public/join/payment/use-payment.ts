import { useEffect, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { paymentStatus, verifyCheckoutSession } from '#contract/public/membership.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { delay } from '#web/api/delay.ts'
import { logIn } from '#web/session/session.ts'
import { findMissingParameter, stillProcessing, toPaymentError, type PaymentError } from './payment.rules.ts'

export type Payment =
  | { step: 'loading' }
  | { step: 'processing' }
  | { step: 'paid' }
  | ({ step: 'problem' } & PaymentError)

export interface CheckoutReturnParameters {
  session_id?: string
  nonce?: string
}

/** Verifies the checkout session of the return URL and waits about 90 seconds for its payment. */
export function usePayment(address: CheckoutReturnParameters | null): { payment: Payment; retry(): void } {
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

interface PaymentObserver {
  isWanted(): boolean
  show(payment: Payment): void
}

async function confirm(address: CheckoutReturnParameters, { isWanted, show }: PaymentObserver): Promise<void> {
  const missing = findMissingParameter(address)
  if (missing) return show({ step: 'problem', ...missing })

  const session = { session_id: address.session_id ?? '', nonce: address.nonce ?? '' }
  show({ step: 'loading' })
  try {
    let isPaid = await verifySession(session)
    if (!isPaid) {
      show({ step: 'processing' })
      isPaid = (await pollUntilReady(session.session_id, isWanted)) && (await verifySession(session))
    }
    show(isPaid ? { step: 'paid' } : { step: 'problem', ...stillProcessing })
  } catch (failure) {
    const { status = 0, serverMessage: sentence } = failure instanceof CallFailure ? failure : {}
    show({ step: 'problem', ...toPaymentError(status, sentence) })
  }
}

/**
 * Logs in if the server returns a token, which it does once, in the browser that paid
 * (docs/product-rules.md#return-from-payment).
 */
async function verifySession(session: { session_id: string; nonce: string }): Promise<boolean> {
  const { ready, token, user } = await call(verifyCheckoutSession, { query: session })
  if (ready && token) logIn({ token, user })
  return ready
}

async function pollUntilReady(sessionId: string, isWanted: () => boolean): Promise<boolean> {
  for (let attempt = 0; attempt < limits.payment.pollAttempts && isWanted(); attempt++) {
    await delay(limits.payment.pollIntervalMs)
    // A failed request counts as one of the 45 attempts.
    const { ready } = await call(paymentStatus, { query: { sessionId } }).catch(() => ({ ready: false }))
    if (ready) return true
  }
  return false
}
