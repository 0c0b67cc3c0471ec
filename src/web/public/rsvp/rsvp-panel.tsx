import { useCallback, useEffect, useState } from 'react'
import { readRsvpSettings, type PublicRsvpSettings } from '#contract/public/rsvp.ts'
import { callAsVisitorOrMember } from '#web/session/call-as-visitor-or-member.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { CanceledEventBanner } from '../events/canceled-event-banner.tsx'
import { RsvpForm } from './rsvp-form.tsx'
import { RsvpSent } from './rsvp-sent.tsx'
import { openingText, sentText, type SentRsvp } from './rsvp-text.rules.ts'

export interface RsvpPanelProps {
  eventId: string
  /** The current date in the association's time zone. */
  today: string
  /** The association's email address, as an alternative to the form. */
  email: string
  /** Moves focus to the heading when the focused button disappears. */
  focusHeading(): void
  /** The form makes way for a message with this title. */
  onSent(sent: { title: string; isComing: boolean }): void
}

/** The RSVP form of an event, or what follows once it is sent. */
export function RsvpPanel({ onSent, ...props }: RsvpPanelProps) {
  const [sent, setSent] = useState<SentRsvp | null>(null)

  function show(next: SentRsvp) {
    setSent(next)
    onSent({ title: sentText(next).title, isComing: next.place === 'coming' })
  }

  return (
    <>
      <div role="status">{sent && <p className="small soft">{sentText(sent).text}</p>}</div>
      {sent ? <RsvpSent eventId={props.eventId} sent={sent} /> : <OpenRsvp {...props} onDone={show} />}
    </>
  )
}

type OpenRsvpProps = Omit<RsvpPanelProps, 'onSent'> & { onDone(sent: SentRsvp): void }

/** The event's RSVP status, and the form while RSVPs are open. */
function OpenRsvp({ eventId, today, email, focusHeading, onDone }: OpenRsvpProps) {
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
  const opening = openingText(settings, today)
  return (
    <div className="flow">
      {opening && <p className="small soft">{opening}</p>}
      {settings.words && <p className="small">{settings.words}</p>}
      {settings.state === 'full' && (
        <Banner tone="warn" title="All seats are taken">
          Join the waitlist: canceled seats go to the guest who has waited longest.
        </Banner>
      )}
      <RsvpForm eventId={eventId} today={today} email={email} settings={settings} onDone={onDone} onStale={lookAgain} />
    </div>
  )
}
