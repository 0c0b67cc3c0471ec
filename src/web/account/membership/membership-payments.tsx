import { useCallback, useEffect, useState } from 'react'
import type { MemberPayment } from '#contract/public/billing.ts'
import { formatMoney } from '#contract/money.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { getPayments, saveReceipt } from './membership-payments.calls.ts'
import { paymentRemarks, paymentSteps, paymentTitle, refundStatus } from './membership-payments.rules.ts'

type State =
  | { step: 'loading' }
  | { step: 'failed' }
  /** An officer views the site as this member, and their role cannot see payments. */
  | { step: 'hidden'; sentence: string }
  | { step: 'shown'; payments: MemberPayment[] }

/** The member's payments, each with its steps and receipt. Reloads when `version` changes. */
export function MembershipPayments({ version }: { version: unknown }) {
  const [state, setState] = useState<State>({ step: 'loading' })

  const load = useCallback(async () => {
    setState(await loadPayments())
  }, [])

  useEffect(() => {
    let isWanted = true
    void loadPayments().then((next) => isWanted && setState(next))
    return () => {
      isWanted = false
    }
  }, [version])

  return (
    <Card title="Payments">
      {state.step === 'loading' && <Skeleton height="5rem" />}
      {state.step === 'failed' && (
        <Banner tone="bad" role="alert">
          <p>Your payments could not be loaded. Please check your connection.</p>
          <Button variant="line" size="small" onClick={() => void load()}>
            Try again
          </Button>
        </Banner>
      )}
      {state.step === 'hidden' && <p>{state.sentence}</p>}
      {state.step === 'shown' && state.payments.length === 0 && <p>No payments yet.</p>}
      {state.step === 'shown' && state.payments.length > 0 && (
        <ol className="payments" reversed>
          {state.payments.map((payment) => (
            <Payment key={payment.receiptNumber} payment={payment} />
          ))}
        </ol>
      )}
    </Card>
  )
}

async function loadPayments(): Promise<State> {
  try {
    return { step: 'shown', payments: await getPayments() }
  } catch (failure) {
    const { code, message } = failure instanceof CallFailure ? failure : {}
    return code === 'VIEW_HIDES' ? { step: 'hidden', sentence: message ?? '' } : { step: 'failed' }
  }
}

function Payment({ payment }: { payment: MemberPayment }) {
  const { receiptNumber, amount, currency } = payment
  const returned = refundStatus(payment)
  return (
    <li>
      <div className="payment-head">
        <h3>{paymentTitle(payment)}</h3>
        <p className="price">{formatMoney(amount, currency)}</p>
      </div>
      {returned && <Badge tone={returned.tone}>{returned.label}</Badge>}
      {paymentRemarks(payment).map((sentence) => (
        <p key={sentence} className="small soft">
          {sentence}
        </p>
      ))}
      <ol className="payment-line">
        {paymentSteps(payment).map(({ label, time }) => (
          <li key={label} data-done={time !== null}>
            <span>{label}</span>
            <small>{time ?? 'Waiting'}</small>
          </li>
        ))}
      </ol>
      <Receipt number={receiptNumber} />
    </li>
  )
}

function Receipt({ number }: { number: string }) {
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)

  async function save() {
    setBusy(true)
    setFailed(false)
    try {
      await saveReceipt(number)
    } catch {
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button variant="line" size="small" busy={isBusy} busyLabel="One moment" onClick={() => void save()}>
        Download receipt {number}
      </Button>
      {hasFailed && <p role="alert">The receipt could not be loaded. Please try again.</p>}
    </>
  )
}
