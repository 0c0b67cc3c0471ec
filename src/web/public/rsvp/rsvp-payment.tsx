import { useEffect, useRef, useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import { giveUpRsvpPayment, verifyRsvpPayment } from '#contract/rsvp.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { contentPaths } from '#web/app/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/waiting.tsx'

/** Where somebody comes back to from the card provider: `order` when they would not pay. */
export interface ReturnFromPaying {
  session_id?: string
  order?: string
  nonce?: string
}

type Answer =
  | { step: 'asking' }
  | { step: 'paid' | 'returned' | 'open' | 'ended' }
  | { step: 'given-up'; eventId: string }
  | { step: 'failed'; sentence: string; mayTryAgain: boolean }

const SAID = {
  paid: {
    tone: 'good',
    title: 'Thank you, your seats are paid. Check your email.',
    words: 'One email brings the code for the door and the link to change or cancel; another brings the receipt.',
  },
  returned: {
    tone: 'warn',
    title: 'Your payment goes back',
    words:
      'It reached us when your seats were no longer kept, and others have them now. The whole amount is on its way back to your card; a letter says so too. We are sorry.',
  },
  open: {
    tone: 'warn',
    title: 'Your payment has not arrived yet',
    words:
      'Your seats are kept for half an hour from when you sent the form. If you have paid, look again in a moment.',
  },
  ended: {
    tone: 'warn',
    title: 'Your seats were not paid',
    words:
      'The time for it is over and nothing was charged. Fill in the form on the event’s page again if you would like to come.',
  },
  'given-up': {
    tone: 'note',
    title: 'Nothing was charged',
    words: 'Your seats were given back. If you change your mind, fill in the form again.',
  },
} as const

/** What became of a payment for seats; who went back without paying gives the seats back here. */
export function RsvpPaymentPanel({ address, email }: { address: ReturnFromPaying; email: string }) {
  const [answer, setAnswer] = useState<Answer>({ step: 'asking' })
  const [turn, setTurn] = useState(0)
  const banner = useRef<HTMLDivElement | null>(null)

  useEffect(() => {
    let isCurrent = true
    setAnswer({ step: 'asking' })
    void ask(address).then((found) => isCurrent && setAnswer(found))
    return () => {
      isCurrent = false
    }
  }, [address, turn])

  useEffect(() => {
    if (answer.step !== 'asking') banner.current?.focus()
  }, [answer])

  const again = (
    <Button variant="line" size="small" onClick={() => setTurn(turn + 1)}>
      Look again
    </Button>
  )
  const said = answer.step === 'asking' || answer.step === 'failed' ? null : SAID[answer.step]
  return (
    <>
      {answer.step === 'asking' && <Spinner text="Looking for your payment..." />}
      {answer.step === 'failed' && (
        <Banner tone="bad" role="alert" ref={banner}>
          <p>
            {answer.sentence} If you paid, nothing is lost: every payment is checked again within the hour. Write to{' '}
            <a href={`mailto:${email}`}>{email}</a> if you have a question.
          </p>
          {answer.mayTryAgain && again}
        </Banner>
      )}
      <div role="status">
        {said && (
          <Banner tone={said.tone} title={said.title} ref={banner}>
            <p>{said.words}</p>
            {answer.step === 'given-up' && (
              <p>
                <Link to={`${contentPaths.event(answer.eventId)}#rsvp`}>Back to the event</Link>
              </p>
            )}
            {answer.step === 'open' && again}
          </Banner>
        )}
      </div>
    </>
  )
}

async function ask({ session_id, order, nonce }: ReturnFromPaying): Promise<Answer> {
  try {
    if (nonce && order) return { step: 'given-up', ...(await call(giveUpRsvpPayment, { body: { order, nonce } })) }
    if (!nonce || !session_id) return { step: 'failed', sentence: 'This link is incomplete.', mayTryAgain: false }
    return { step: (await call(verifyRsvpPayment, { body: { session_id, nonce } })).outcome }
  } catch (cause) {
    const isRefused = cause instanceof CallFailure && cause.status === 403
    const sentence = isRefused ? 'This link does not match any payment.' : 'The site did not answer.'
    return { step: 'failed', sentence, mayTryAgain: !isRefused }
  }
}
