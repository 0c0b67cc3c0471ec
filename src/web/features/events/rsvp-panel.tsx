import { useCallback, useEffect, useState } from 'react'
import { formatMoment } from '#contract/dates.ts'
import { readRsvpOffer, type RsvpOffer } from '#contract/rsvp.ts'
import { callAsAnybody } from '#web/features/auth/call-as-anybody.ts'
import { Announcer } from '#web/ui/announcer.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/waiting.tsx'
import { CalledOff } from './called-off.tsx'
import { RsvpForm } from './rsvp-form.tsx'

export interface RsvpPanelProps {
  eventId: string
  /** The association's, for whoever cannot send. */
  email: string
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

/** What the event takes just now, and the form where it takes something. */
export function RsvpPanel({ eventId, email }: RsvpPanelProps) {
  const [offer, setOffer] = useState<RsvpOffer | null>(null)
  const [failed, setFailed] = useState(false)
  const [done, setDone] = useState<Done | null>(null)

  const look = useCallback(() => {
    setFailed(false)
    callAsAnybody(readRsvpOffer, { params: { id: eventId } }).then(setOffer, () => setFailed(true))
  }, [eventId])
  useEffect(look, [look])

  if (done) {
    return (
      <>
        <Banner tone="good" title={DONE[done].title}>
          {DONE[done].words}
        </Banner>
        <Announcer message={DONE[done].title} />
      </>
    )
  }
  if (failed) {
    return (
      <Banner tone="bad" role="alert">
        <p>The site did not answer. Check your connection and try again.</p>
        <Button variant="line" size="small" onClick={look}>
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
      <RsvpForm eventId={eventId} email={email} offer={offer} onDone={setDone} />
    </div>
  )
}
