import { useCallback, useEffect, useRef, useState } from 'react'
import { formatMoment } from '#contract/dates.ts'
import { writeDay } from '#contract/days.ts'
import { HOLD_MINUTES, readRsvpOffer, type RsvpOffer } from '#contract/rsvp.ts'
import { callAsAnybody } from '#web/features/auth/call-as-anybody.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/waiting.tsx'
import { CalledOff } from './called-off.tsx'
import { RsvpForm, type RsvpDone } from './rsvp-form.tsx'

export interface RsvpPanelProps {
  eventId: string
  /** The association's, for whoever cannot send. */
  email: string
  /** For a button that goes away with the focus. */
  focusHeading(): void
}

const DONE: Record<RsvpDone, { title: string; words: string }> = {
  held: {
    title: 'One more step: confirm by email',
    words: `We sent you an email. Press its button within ${HOLD_MINUTES} minutes and the seats are yours; until then they are held for you.`,
  },
  asked: {
    title: 'One more step: confirm by email',
    words: 'We sent you an email. Press its button, and you are on the waitlist.',
  },
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
  const [done, setDone] = useState<RsvpDone | null>(null)
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
function Offer({ eventId, email, focusHeading, onDone }: RsvpPanelProps & { onDone(done: RsvpDone): void }) {
  const [offer, setOffer] = useState<RsvpOffer | null>(null)
  const [failed, setFailed] = useState(false)

  const look = useCallback(() => {
    setFailed(false)
    callAsAnybody(readRsvpOffer, { params: { id: eventId } }).then(setOffer, () => setFailed(true))
  }, [eventId])
  useEffect(look, [look])
  // Under a form that is filled in: where the site does not answer, what was seen before stays.
  const lookAgain = () => void callAsAnybody(readRsvpOffer, { params: { id: eventId } }).then(setOffer, () => {})

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
      {offer.closesAt && (
        <p className="small soft">
          {offer.lastDay
            ? `Please answer by ${writeDay(offer.lastDay)}.`
            : `Please answer before ${formatMoment(offer.closesAt)}.`}
        </p>
      )}
      {offer.state === 'open' && offer.seatsLeft !== null && (
        <p>
          <strong>
            {offer.seatsLeft === 1 ? '1 seat left' : `${offer.seatsLeft.toLocaleString('en-US')} seats left`}
          </strong>
        </p>
      )}
      {offer.state === 'full' && (
        <Banner tone="warn" title="All seats are taken">
          Put your name on the waitlist: seats that are given back go to whoever waits longest.
        </Banner>
      )}
      <RsvpForm eventId={eventId} email={email} offer={offer} onDone={onDone} onStale={lookAgain} />
    </div>
  )
}
