import { useState } from 'react'
import { addAttendee } from '#contract/console/events/events.ts'
import { readRsvpEvent, type TicketKind } from '#contract/console/rsvp.ts'
import { GUESTS_MAX } from '#contract/public/rsvp.ts'
import { countOf, personsOn, type TicketChoice } from '#contract/tickets/tickets.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldBox } from '#web/ui/field.tsx'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'

type Seat = 'free' | 'payment' | 'waitlist'

const DONE: Record<string, string> = {
  coming: 'was added and gets a confirmation.',
  paying: 'gets an email with the amount. The seats are held until then.',
  waiting: 'is on the waitlist and gets an email.',
  cancelled: 'was added before, and has canceled since.',
}

/** Adds a guest by hand: free of charge, with a request to pay, or to the waitlist. */
export function AttendeeForm({ eventId, onAdded }: { eventId: string; onAdded(message: string): void }) {
  const event = useLoaded(readRsvpEvent, { params: { id: eventId } })
  return (
    <WhenLoaded loaded={event} what="the settings">
      {({ offer }) => <Form eventId={eventId} offer={offer} onAdded={onAdded} />}
    </WhenLoaded>
  )
}

function Form({
  eventId,
  offer: { price, meals: menu, guestsMax, kinds },
  onAdded,
}: {
  eventId: string
  offer: { price: number | null; meals: string[]; guestsMax: number; kinds: TicketKind[] }
  onAdded(message: string): void
}) {
  // The same for every attempt, so that sending twice adds one guest.
  const [rsvpId] = useState(() => crypto.randomUUID())
  const [seat, setSeat] = useState<Seat>('free')
  const [typedGuests, setGuests] = useState(0)
  const [tickets, setTickets] = useState<TicketChoice>([])
  const persons = personsOn(kinds.map(({ key, seats }) => ({ seats, count: countOf(tickets, key) })))
  const guests = kinds.length > 0 ? Math.max(0, persons - 1) : typedGuests
  const isPaid = price !== null || kinds.some((kind) => kind.price > 0)
  const [meals, setMeals] = useState<string[]>([])
  const form = useForm({
    order: ['name', 'email', 'guests', 'tickets', 'meals'] as const,
    errorMessage: officerErrorMessage,
    async send({ name, email }) {
      const chosen =
        menu.length === 0 ? [] : Array.from({ length: guests + 1 }, (_, index) => meals[index] ?? menu[0] ?? '')
      const body = {
        id: rsvpId,
        name: name.trim(),
        email: email.trim(),
        guests,
        meals: chosen,
        seat,
        ...(kinds.length > 0 && { tickets }),
      }
      const { status } = await callAsOfficer(addAttendee, { params: { id: eventId }, body })
      onAdded(`${name.trim()} ${DONE[status] ?? 'was added.'}`)
    },
  })
  const error = (name: 'name' | 'email' | 'guests' | 'tickets' | 'meals') =>
    form.errors[name] === undefined ? {} : { error: form.errors[name] }

  return (
    <form {...form.props} className="flow">
      <FormMessages form={form} />
      <Field label="Name" name="name" autoComplete="off" {...error('name')} />
      <Field label="Email" name="email" type="email" autoComplete="off" {...error('email')} />
      {kinds.map(({ key, name, seats }, index) => (
        <Field
          key={key}
          label={seats > 1 ? `${name} (${seats} people)` : name}
          name={index === 0 ? 'tickets' : `tickets-${index}`}
          type="number"
          inputMode="numeric"
          min={0}
          max={Math.floor((1 + guestsMax) / seats)}
          value={countOf(tickets, key)}
          onChange={({ target }) => {
            const count = Math.max(0, Math.trunc(Number(target.value) || 0))
            setTickets([...tickets.filter((one) => one.kind !== key), { kind: key, count }])
          }}
          {...(index === 0 && error('tickets'))}
        />
      ))}
      {kinds.length === 0 && (
        <Field
          label="Guests"
          name="guests"
          type="number"
          inputMode="numeric"
          min={0}
          max={Math.min(guestsMax, GUESTS_MAX)}
          value={guests}
          onChange={({ target }) => setGuests(Math.max(0, Number(target.value) || 0))}
          {...error('guests')}
        />
      )}
      {menu.length > 0 &&
        Array.from({ length: guests + 1 }, (_, index) => (
          <FieldBox
            key={index}
            id={`meal-${index}`}
            label={index === 0 ? 'Meal' : `Meal of guest ${index}`}
            {...(index === 0 && error('meals'))}
          >
            <select
              className="input"
              id={`meal-${index}`}
              value={meals[index] ?? menu[0]}
              onChange={({ target }) => setMeals(Object.assign([...meals], { [index]: target.value }))}
            >
              {menu.map((meal) => (
                <option key={meal}>{meal}</option>
              ))}
            </select>
          </FieldBox>
        ))}
      <FieldBox id="seat" label="Seat">
        <select className="input" id="seat" value={seat} onChange={({ target }) => setSeat(target.value as Seat)}>
          <option value="free">{isPaid ? 'Give a seat free of charge' : 'Give a seat'}</option>
          {isPaid && <option value="payment">Hold a seat until it is paid</option>}
          <option value="waitlist">Add to the waitlist</option>
        </select>
      </FieldBox>
      <Button type="submit" busy={form.isSubmitting} busyLabel="Adding">
        Add attendee
      </Button>
    </form>
  )
}
