import { useState } from 'react'
import { readEventEmails, type EventEmails, type GuestMessage } from '#contract/console/events/events.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { showToast } from '#web/console/ui/toasts.tsx'
import { EventNotesForm } from './event-notes-form.tsx'
import { EventPage } from './event-page.tsx'
import { AUDIENCE_NAMES, GuestMessageForm } from './guest-message-form.tsx'

const POLL_MS = 3_000
const isUnderWay = ({ messages }: EventEmails) =>
  messages.some(({ parties, accepted }) => accepted < parties || parties === 0)

/** Emails to the guests of an event: what the automatic ones also say, and messages. */
export default function EventEmailsPage({ id }: { id: string }) {
  const found = useLoaded(readEventEmails, { params: { id } }, (emails) => isUnderWay(emails) && POLL_MS)
  const [isWriting, setWriting] = useState(false)
  return (
    <EventPage
      id={id}
      tab="emails"
      action={!isWriting && <Button onClick={() => setWriting(true)}>Email guests</Button>}
    >
      {({ value: event }) => (
        <WhenLoaded loaded={found} what="the emails">
          {(emails) => (
            <div className="stack">
              {isWriting && (
                <GuestMessageForm
                  eventId={id}
                  reach={emails.reach}
                  onClose={() => setWriting(false)}
                  onSent={(next, parties) => {
                    setWriting(false)
                    found.setValue(next)
                    showToast(
                      `Sending to ${parties === 1 ? '1 party' : `${parties} parties`}. You can leave this page.`,
                    )
                  }}
                />
              )}
              <Panel title="Automatic">
                <dl className="lines">
                  <Line
                    title="Confirmation"
                    text="At once, with the seats, a code for check-in and the link to change the RSVP"
                  />
                  <Line title="Seat ready" text="When a seat of the waitlist opens up" />
                  <Line
                    title="Reminder"
                    text={
                      emails.reminderAt === null
                        ? 'Two days before, once the date can be read'
                        : `Two days before: ${formatMoment(emails.reminderAt)}`
                    }
                    badge={
                      emails.reminded > 0 ? (
                        <Badge tone="ok">{emails.reminded} sent</Badge>
                      ) : (
                        <Badge tone="quiet">Scheduled</Badge>
                      )
                    }
                  />
                </dl>
                <p className="small soft">
                  Their texts are the same for all events: <Link to="/console/email-texts/rsvp">edit them</Link>.{' '}
                  {event?.hasSettings
                    ? 'Below, add what guests of this event should know.'
                    : 'Set up RSVPs to add what guests of this event should know.'}
                </p>
                {event?.hasSettings && (
                  <EventNotesForm
                    key={emails.notes.version}
                    eventId={id}
                    notes={emails.notes}
                    onSaved={found.setValue}
                  />
                )}
              </Panel>
              <Panel title="Messages" isFlush>
                {emails.messages.length === 0 ? (
                  <p className="box-body soft">No messages yet.</p>
                ) : (
                  <ul className="lines box-body">
                    {emails.messages.map((message) => (
                      <SentMessage key={message.id} message={message} />
                    ))}
                  </ul>
                )}
              </Panel>
            </div>
          )}
        </WhenLoaded>
      )}
    </EventPage>
  )
}

function Line({ title, text, badge }: { title: string; text: string; badge?: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className="small soft">{text}</dd>
      {badge && <dd>{badge}</dd>}
    </div>
  )
}

function SentMessage({
  message: { subject, text, by, sentAt, audiences, parties, accepted },
}: {
  message: GuestMessage
}) {
  return (
    <li>
      <details>
        <summary>{subject}</summary>
        <p className="preformatted">{text}</p>
      </details>
      <span className="small soft">
        {by}, {formatMoment(sentAt)}, to {audiences.map((one) => AUDIENCE_NAMES[one].toLowerCase()).join(' and ')}
      </span>
      {parties > 0 && accepted === parties ? (
        <Badge tone="ok">{accepted} sent</Badge>
      ) : (
        <Badge tone="warn">
          {accepted} of {parties} sent
        </Badge>
      )}
    </li>
  )
}
