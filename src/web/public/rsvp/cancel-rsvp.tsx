import { useState } from 'react'
import { formatMoney } from '#contract/money.ts'
import { cancelRsvp, type OwnRsvp } from '#contract/rsvp.ts'
import { call } from '#web/api/call.ts'
import { explain } from '#web/features/forms/explain.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

const SENTENCES = {
  refused: 'This could not be done. Please try again.',
  network: 'The site did not answer. Check your connection and try again.',
}

interface CancelRsvpProps {
  token: string
  rsvp: OwnRsvp
  onCancelled(next: OwnRsvp): void
}

/** Asks first, with what becomes of the money. */
export function CancelRsvp({ token, rsvp: { event, money }, onCancelled }: CancelRsvpProps) {
  const [isAsking, setAsking] = useState(false)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState('')

  async function cancel() {
    setSending(true)
    setFailure('')
    try {
      onCancelled(await call(cancelRsvp, { body: { token } }))
      setAsking(false)
    } catch (cause) {
      setFailure(explain(cause, SENTENCES))
    }
    setSending(false)
  }

  return (
    <>
      <Button variant="line" onClick={() => setAsking(true)}>
        I cannot come
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title="Give your seats back?" width="30rem">
        {failure && (
          <Banner tone="bad" role="alert">
            {failure}
          </Banner>
        )}
        <p>Your RSVP for {event.title} is cancelled, and your seats go to whoever waits for them.</p>
        {money && money.paid > 0 && (
          <p>
            <strong>
              {money.isRefundable
                ? `${formatMoney(money.paid, money.currency)} goes back to the card you paid with.`
                : `The ${formatMoney(money.paid, money.currency)} you paid is not refunded.`}
            </strong>
          </p>
        )}
        <div className="buttons">
          <Button variant="danger" busy={isSending} busyLabel="Cancelling" onClick={() => void cancel()}>
            Cancel my RSVP
          </Button>
          <Button variant="line" disabled={isSending} onClick={() => setAsking(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </>
  )
}
