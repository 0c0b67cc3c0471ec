import { region } from '#contract/region.ts'
import { useState } from 'react'
import { CANCELLATION_MESSAGE_MAX, cancelRsvpEvent, type RsvpEvent } from '#contract/console/rsvp.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Panel } from '../ui/panel.tsx'
import { joinLines } from '#web/forms/join-lines.ts'

interface CancelEventProps {
  found: RsvpEvent
  /** @param message the success message */
  onDone(next: RsvpEvent, message: string): void
}

/** Cancels an event. Hidden once the event has ended. */
export function CancelEventCard({ found, onDone }: CancelEventProps) {
  const [isAsking, setAsking] = useState(false)
  const { calledOff, hasEnded, offer, paid } = found
  if (hasEnded || offer.version === 0) return null
  if (calledOff) {
    return (
      <Panel title="Canceled">
        <p>
          Canceled {formatMoment(calledOff.at)}. Message to guests: “{calledOff.words}”
        </p>
        <p>To reinstate the event, open RSVPs above. Guests have to RSVP again.</p>
      </Panel>
    )
  }
  return (
    <Panel title="Cancel event" tone="danger">
      <p>
        Everyone who is coming, paying or on the waitlist is emailed, and all payments are refunded.
        {paid > 0 && ' Guests have paid, so only the president can cancel it.'}
      </p>
      <Button variant="line" onClick={() => setAsking(true)}>
        Cancel event
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title="Cancel event?" width="34rem">
        <CancelEventForm
          found={found}
          onDone={(next, message) => {
            setAsking(false)
            onDone(next, message)
          }}
        />
      </Dialog>
    </Panel>
  )
}

// Not `words`: the RSVP settings form on the same page has a field with that name.
const FIELDS = { announcement: 'Message to guests' }

function CancelEventForm({ found, onDone }: CancelEventProps) {
  const { event, paid } = found
  const { coming, paying, waiting } = event.counts
  const form = useDraftForm(`call-off:${event.id}`, {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ announcement }) {
      const body = { announcement: joinLines(announcement) }
      const done = await callAsOfficer(cancelRsvpEvent, { params: { id: event.id }, body })
      const money = done.refunded > 0 ? `, and ${formatMoney(done.refunded, region().currency)} is being refunded` : ''
      onDone(
        done.event,
        `Event canceled. Emails to ${done.parties === 1 ? 'one party' : `${done.parties} parties`} are being sent${money}.`,
      )
    },
  })
  return (
    <form {...form.props}>
      <p>
        <strong>
          {coming} coming{paying > 0 && `, ${paying} paying`}
          {waiting > 0 && `, ${waiting} waiting`}
        </strong>{' '}
        (including guests). Each party with an email address is notified now, and all seats are released.{' '}
        {paid > 0 && `${formatMoney(paid, region().currency)} will be refunded to their cards. `}
        The event’s page, card and calendar entries show that it is canceled. This cannot be undone.
      </p>
      <DraftFormMessages form={form} />
      <TextArea {...form.field('announcement')} rows={3} maxLength={CANCELLATION_MESSAGE_MAX} autoComplete="off" />
      <Button type="submit" variant="danger" busy={form.isSubmitting} busyLabel="Canceling">
        Cancel event
      </Button>
    </form>
  )
}
