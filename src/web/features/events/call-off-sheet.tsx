import { useState } from 'react'
import { CALL_OFF_WORDS_MAX, callOffRsvpEvent, type RsvpEvent } from '#contract/console-rsvp.ts'
import { formatMoment } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { oneLine } from '#web/features/forms/one-line.ts'

interface CallOffProps {
  found: RsvpEvent
  /** @param words what was done */
  onDone(next: RsvpEvent, words: string): void
}

/** Where an event that does not take place is called off; gone once it is over. */
export function CallOffSheet({ found, onDone }: CallOffProps) {
  const [isAsking, setAsking] = useState(false)
  const { calledOff, hasEnded, offer, paid } = found
  if (hasEnded || offer.version === 0) return null
  if (calledOff) {
    return (
      <Sheet title="Called off">
        <p>
          Since {formatMoment(calledOff.at)}. Guests were told: “{calledOff.words}”
        </p>
        <p>
          Is it taking place after all? Open RSVPs above: the event’s page is as before. Everybody who was coming has to
          say so again.
        </p>
      </Sheet>
    )
  }
  return (
    <Sheet title="If it does not take place">
      <p>
        Everybody who is coming, paying or waiting is told by email, and all that was paid goes back.
        {paid > 0 && ' Guests have paid, so only the president can do it.'}
      </p>
      <Button variant="line" onClick={() => setAsking(true)}>
        Call the event off
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title="Call the event off?" width="34rem">
        <CallOffForm
          found={found}
          onDone={(next, words) => {
            setAsking(false)
            onDone(next, words)
          }}
        />
      </Dialog>
    </Sheet>
  )
}

// Not `words`: the form of the offer beside it has a field of that name.
const FIELDS = ['announcement'] as const

function CallOffForm({ found, onDone }: CallOffProps) {
  const { event, paid } = found
  const { coming, paying, waiting } = event.counts
  const form = useKeptForm(`call-off:${event.id}`, {
    order: FIELDS,
    explain: explainToOfficer,
    async send({ announcement }) {
      const body = { announcement: oneLine(announcement) }
      const done = await callAsOfficer(callOffRsvpEvent, { params: { id: event.id }, body })
      const money = done.refunded > 0 ? `, and ${formatMoney(done.refunded, 'usd')} is on its way back` : ''
      onDone(
        done.event,
        `The event is called off: letters to ${done.parties === 1 ? 'one party' : `${done.parties} parties`} are on their way${money}.`,
      )
    },
  })
  const { announcement: error } = form.problems
  return (
    <form {...form.props}>
      <p>
        <strong>
          {coming} coming{paying > 0 && `, ${paying} paying`}
          {waiting > 0 && `, ${waiting} waiting`}
        </strong>{' '}
        (guests included): each party with an address gets a letter at once, and all seats are gone.{' '}
        {paid > 0 && `${formatMoney(paid, 'usd')} goes back to the cards it came from. `}
        The event’s page, its card and calendars say that it is called off. Letters cannot be called back.
      </p>
      <KeptFormMessages form={form} />
      <TextArea
        label="What guests should know, as they will read it"
        name="announcement"
        rows={3}
        maxLength={CALL_OFF_WORDS_MAX}
        autoComplete="off"
        {...(error && { error })}
      />
      <Button type="submit" variant="danger" busy={form.isSending} busyLabel="Calling it off">
        Call it off
      </Button>
    </form>
  )
}
