import { useCallback, useEffect, useRef, useState } from 'react'
import { formatMoment } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { HOLD_MINUTES, readRsvpSettings, type PublicRsvpSettings } from '#contract/public/rsvp.ts'
import { callAsVisitorOrMember } from '#web/session/call-as-visitor-or-member.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { CanceledEventBanner } from '../events/canceled-event-banner.tsx'
import { RsvpForm, type RsvpDone } from './rsvp-form.tsx'

export interface RsvpPanelProps {
  eventId: string
  /** The association's email address, as an alternative to the form. */
  email: string
  /** Moves focus to the heading when the focused button disappears. */
  focusHeading(): void
}

const DONE: Record<RsvpDone, { title: string; text: string }> = {
  held: {
    title: 'One more step: confirm by email',
    text: `We sent you an email. Press its button within ${HOLD_MINUTES} minutes to confirm; we’ll hold your seats until then.`,
  },
  asked: {
    title: 'One more step: confirm by email',
    text: 'We sent you an email. Press its button to join the waitlist.',
  },
  coming: {
    title: 'Thank you. Check your email.',
    text: 'We’ve emailed your confirmation with the check-in code and a link to change or cancel.',
  },
  waiting: {
    title: 'You are on the waitlist. Check your email.',
    text: 'When seats open up and it’s your turn, we’ll hold them for you and email you.',
  },
}

/** The RSVP form of an event, or the confirmation message. */
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
            {DONE[done].text}
          </Banner>
        )}
      </div>
      {!done && <OpenRsvp {...props} onDone={setDone} />}
    </>
  )
}

/** The event's RSVP status, and the form while RSVPs are open. */
function OpenRsvp({ eventId, email, focusHeading, onDone }: RsvpPanelProps & { onDone(done: RsvpDone): void }) {
  const [settings, setRsvpSettings] = useState<PublicRsvpSettings | null>(null)
  const [failed, setFailed] = useState(false)

  const look = useCallback(() => {
    setFailed(false)
    callAsVisitorOrMember(readRsvpSettings, { params: { id: eventId } }).then(setRsvpSettings, () => setFailed(true))
  }, [eventId])
  useEffect(look, [look])
  // Runs below a filled-in form, so a failure keeps the current state.
  const lookAgain = () =>
    void callAsVisitorOrMember(readRsvpSettings, { params: { id: eventId } }).then(setRsvpSettings, () => {})

  if (failed) {
    return (
      <Banner tone="bad" role="alert">
        <p>We couldn’t reach the site. Check your connection and try again.</p>
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
  if (!settings) return <Spinner text="Looking for seats..." />
  if (settings.state === 'off') return <CanceledEventBanner text={settings.words} />
  if (settings.state !== 'open' && settings.state !== 'full') {
    return (
      <Banner tone="note">
        <p>
          {settings.state === 'closed' ? 'RSVPs for this event are closed.' : 'This event is no longer taking RSVPs.'}{' '}
          Please write to <a href={`mailto:${email}`}>{email}</a> if you have a question.
        </p>
      </Banner>
    )
  }
  return (
    <div className="flow">
      {settings.words && <p>{settings.words}</p>}
      {settings.closesAt && (
        <p className="small soft">
          {settings.lastDay
            ? `RSVP by ${formatDay(settings.lastDay)}.`
            : `RSVP before ${formatMoment(settings.closesAt)}.`}
        </p>
      )}
      {settings.state === 'open' && settings.seatsLeft !== null && (
        <p>
          <strong>
            {settings.seatsLeft === 1 ? '1 seat left' : `${settings.seatsLeft.toLocaleString('en-US')} seats left`}
          </strong>
        </p>
      )}
      {settings.state === 'full' && (
        <Banner tone="warn" title="All seats are taken">
          Join the waitlist: canceled seats go to the guest who has waited longest.
        </Banner>
      )}
      <RsvpForm eventId={eventId} email={email} settings={settings} onDone={onDone} onStale={lookAgain} />
    </div>
  )
}
