import { useEffect, useRef, useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import { abandonRsvpPayment, verifyRsvpPayment } from '#contract/public/rsvp.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { contentPaths, documentPaths } from '#web/app/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'

/** Query parameters after checkout; `order` is set when the guest canceled it. */
export interface CheckoutReturn {
  session_id?: string
  order?: string
  nonce?: string
}

type PaymentState =
  | { step: 'asking' }
  | { step: 'paid' | 'returned' | 'open' | 'ended'; eventId: string }
  | { step: 'given-up'; eventId: string }
  | { step: 'failed'; sentence: string; mayTryAgain: boolean }

const RESULTS = {
  paid: {
    tone: 'good',
    title: 'Thank you, your seats are paid. Check your email.',
    words: 'We’ve emailed you the check-in code with a link to change or cancel, and a receipt.',
  },
  returned: {
    tone: 'warn',
    title: 'Your payment is being refunded',
    words:
      'It arrived after your seats were released to other guests. We’re refunding the full amount to your card and have emailed you. We’re sorry.',
  },
  open: {
    tone: 'warn',
    title: 'Your payment has not arrived yet',
    words: 'We hold your seats for 30 minutes after you send the form. If you have paid, check again in a moment.',
  },
  ended: {
    tone: 'warn',
    title: 'Your seats were not paid',
    words:
      'Your payment window has expired and nothing was charged. To come, fill in the form on the event’s page again.',
  },
  'given-up': {
    tone: 'note',
    title: 'Nothing was charged',
    words: 'Your seats were released. If you change your mind, fill in the form again.',
  },
} as const

/** The result of a payment for seats. Releases the seats of a guest who canceled checkout. */
export function RsvpPaymentPanel({ address, email }: { address: CheckoutReturn; email: string }) {
  const [state, setState] = useState<PaymentState>({ step: 'asking' })
  const [attempt, setAttempt] = useState(0)
  const banner = useRef<HTMLDivElement | null>(null)

  useEffect(() => {
    let isCurrent = true
    setState({ step: 'asking' })
    void checkPayment(address).then((found) => isCurrent && setState(found))
    return () => {
      isCurrent = false
    }
  }, [address, attempt])

  useEffect(() => {
    if (state.step !== 'asking') banner.current?.focus()
  }, [state])

  const again = (
    <Button variant="line" size="small" onClick={() => setAttempt(attempt + 1)}>
      Check again
    </Button>
  )
  const result = state.step === 'asking' || state.step === 'failed' ? null : RESULTS[state.step]
  return (
    <>
      {state.step === 'asking' && <Spinner text="Looking for your payment..." />}
      {state.step === 'failed' && (
        <Banner tone="bad" role="alert" ref={banner}>
          <p>
            {state.sentence} If you paid, nothing is lost: every payment is checked again within the hour. Email{' '}
            <a href={`mailto:${email}`}>{email}</a> if you have a question.
          </p>
          {state.mayTryAgain && again}
        </Banner>
      )}
      <div role="status">
        {result && (
          <Banner tone={result.tone} title={result.title} ref={banner}>
            <p>{result.words}</p>
            {state.step === 'paid' && (
              <p>
                <a className="button line small" href={documentPaths.eventCalendar(state.eventId)}>
                  Add to calendar
                </a>
              </p>
            )}
            {state.step === 'given-up' && (
              <p>
                <Link to={`${contentPaths.event(state.eventId)}#rsvp`}>Back to the event</Link>
              </p>
            )}
            {state.step === 'open' && again}
          </Banner>
        )}
      </div>
    </>
  )
}

async function checkPayment({ session_id, order, nonce }: CheckoutReturn): Promise<PaymentState> {
  try {
    if (nonce && order) return { step: 'given-up', ...(await call(abandonRsvpPayment, { body: { order, nonce } })) }
    if (!nonce || !session_id) return { step: 'failed', sentence: 'This link is incomplete.', mayTryAgain: false }
    const { outcome, eventId } = await call(verifyRsvpPayment, { body: { session_id, nonce } })
    return { step: outcome, eventId }
  } catch (cause) {
    const isRefused = cause instanceof CallFailure && cause.status === 403
    const sentence = isRefused ? 'This link does not match any payment.' : 'We couldn’t reach the site.'
    return { step: 'failed', sentence, mayTryAgain: !isRefused }
  }
}
