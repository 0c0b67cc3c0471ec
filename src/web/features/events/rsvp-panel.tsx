import { useCallback, useEffect, useRef, useState } from 'react'
import { formatMoment } from '#contract/dates.ts'
import { readRsvpOffer, type RsvpOffer } from '#contract/rsvp.ts'
import { callAsAnybody } from '#web/features/auth/call-as-anybody.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/waiting.tsx'
import { CalledOff } from './called-off.tsx'
import { RsvpForm } from './rsvp-form.tsx'

export interface RsvpPanelProps {
  eventId: string
  /** The association's, for whoever cannot send. */
  email: string
  /** For a button that goes away with the focus. */
  focusHeading(): void
}

type Done = 'coming' | 'waiting'

const DONE: Record<Done, { title: string; words: string }> = {
  coming: {
    title: 'Thank you. Check your email.',
    words: 'An email confirms your seats. It has a code for the door, and the link to change or cancel.',
  },
  waiting: {
    title: 'You are on the waitlist. Check your email.',
    words:
      'When somebody gives seats back and it is your turn, they are kept for you automatically, and an email tells you.',
  },
}

/** The offer of an event, and the thanks of whoever took it. */
export function RsvpPanel(props: RsvpPanelProps) {
  const [done, setDone] = useState<Done | null>(null)
  const thanks = useRef<HTMLDivElement | null>(null)

  useEffect(() => {
    if (done) thanks.current?.focus()
  }, [done])

  return (
    <>
      <div role="status">
        {done && (
          <Banner tone="good" title={DONE[done].title} ref={thanks}>
            {DONE[done].words}
          </Banner>
        )}
      </div>
      {!done && <Offer {...props} onDone={setDone} />}
    </>
  )
}

/** What the event takes just now, and the form where it takes something. */
function Offer({ eventId, email, focusHeading, onDone }: RsvpPanelProps & { onDone(done: Done): void }) {
  const [offer, setOffer] = useState<RsvpOffer | null>(null)
  const [failed, setFailed] = useState(false)

  const look = useCallback(() => {
    setFailed(false)
    callAsAnybody(readRsvpOffer, { params: { id: eventId } }).then(setOffer, () => setFailed(true))
  }, [eventId])
  useEffect(look, [look])

  if (failed) {
    return (
      <Banner tone="bad" role="alert">
        <p>The site did not answer. Check your connection and try again.</p>
        <Button
          variant="line"
          size="small"
          onClick={() => {
            focusHeading()
            look()
          }}
        >
          Try again
        </Button>
      </Banner>
    )
  }
  if (!offer) return <Spinner text="Looking for seats..." />
  if (offer.state === 'off') return <CalledOff words={offer.words} />
  if (offer.state !== 'open' && offer.state !== 'full') {
    return (
      <Banner tone="note">
        <p>
          {offer.state === 'closed' ? 'RSVPs for this event are closed.' : 'This event is no longer taking RSVPs.'}{' '}
          Please write to <a href={`mailto:${email}`}>{email}</a> if you have a question.
        </p>
      </Banner>
    )
  }
  return (
    <div className="flow">
      {offer.words && <p>{offer.words}</p>}
      {offer.closesAt && <p className="small soft">Please answer before {formatMoment(offer.closesAt)}.</p>}
      {offer.state === 'full' && (
        <Banner tone="warn" title="All seats are taken">
          Put your name on the waitlist: seats that are given back go to whoever waits longest.
        </Banner>
      )}
      <RsvpForm eventId={eventId} email={email} offer={offer} onDone={onDone} />
    </div>
  )
}
