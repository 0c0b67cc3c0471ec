import { useState } from 'react'
import { formatMoney } from '#contract/money.ts'
import { cancelRsvp, type OwnRsvp } from '#contract/public/rsvp.ts'
import { call } from '#web/api/call.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

const SENTENCES = {
  refused: 'Something went wrong. Please try again.',
  network: 'We couldn’t reach the site. Check your connection and try again.',
}

interface CancelRsvpProps {
  token: string
  rsvp: OwnRsvp
  onCancelled(next: OwnRsvp): void
}

/** Cancels an RSVP after a confirmation that states the refund. */
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
      setFailure(errorMessage(cause, SENTENCES))
    }
    setSending(false)
  }

  return (
    <>
      <Button variant="line" onClick={() => setAsking(true)}>
        Cancel RSVP
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title="Cancel your RSVP?" width="30rem">
        {failure && (
          <Banner tone="bad" role="alert">
            {failure}
          </Banner>
        )}
        <p>Your RSVP for {event.title} will be canceled, and your seats offered to the waitlist.</p>
        {money && money.paid > 0 && (
          <p>
            <strong>
              {money.isRefundable
                ? `${formatMoney(money.paid, money.currency)} will be refunded to the card you paid with.`
                : `The ${formatMoney(money.paid, money.currency)} you paid is not refunded.`}
            </strong>
          </p>
        )}
        <div className="buttons">
          <Button variant="danger" busy={isSending} busyLabel="Canceling" onClick={() => void cancel()}>
            Cancel my RSVP
          </Button>
          <Button variant="line" disabled={isSending} onClick={() => setAsking(false)}>
            Keep RSVP
          </Button>
        </div>
      </Dialog>
    </>
  )
}
