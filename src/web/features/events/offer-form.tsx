import { useState } from 'react'
import { saveRsvpOffer, type RsvpEvent } from '#contract/console-rsvp.ts'
import { GUESTS_MAX } from '#contract/rsvp.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { heedOthers, useOvertaken } from '#web/features/console/heed-others.ts'
import { findTyped, keepTyped } from '#web/features/console/kept.ts'
import { SaysNow } from '#web/features/console/says-now.tsx'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import type { FormValues } from '#web/features/forms/problems.rules.ts'
import { readValues, useForm } from '#web/features/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, TextArea } from '#web/ui/field.tsx'
import { checkOffer, OFFER_FIELDS, offeredIn, valuesOf, type OfferField } from './offer-form.rules.ts'

interface OfferFormProps {
  found: RsvpEvent
  onSaved(next: RsvpEvent): void
  reload(): void
}

/** What an event offers to whoever comes. What was typed and not saved is offered again after a closed tab. */
export function OfferForm({ found, onSaved, reload }: OfferFormProps) {
  const saved = valuesOf(found.offer)
  const record = `rsvp-offer:${found.event.id}`
  const [shown, setShown] = useState<FormValues<OfferField>>(saved)
  const [draft, setDraft] = useState(() => readDraft(findTyped(record), saved))
  const form = useForm({
    order: OFFER_FIELDS,
    check: checkOffer,
    explain: explainToOfficer,
    async send(values) {
      const params = { id: found.event.id }
      const body = offeredIn(values, found.offer.version)
      const next = await heedOthers(reload, () => callAsOfficer(saveRsvpOffer, { params, body }))
      keepTyped(record, null)
      onSaved(next)
    },
  })
  const overtaken = useOvertaken(form.props.ref, saved)
  const { problems } = form

  return (
    <form
      {...form.props}
      key={JSON.stringify(shown)}
      onBlur={(event) => keepTyped(record, readValues(event.currentTarget, OFFER_FIELDS))}
    >
      {draft && (
        <Banner tone="note" title="You typed something here that was not saved">
          <div className="buttons">
            <Button
              size="small"
              onClick={() => {
                setShown(draft)
                setDraft(null)
              }}
            >
              Take it up again
            </Button>
            <Button
              size="small"
              variant="line"
              onClick={() => {
                keepTyped(record, null)
                setDraft(null)
              }}
            >
              Forget it
            </Button>
          </div>
        </Banner>
      )}
      <FormMessages form={form} />
      <SaysNow overtaken={overtaken} />
      <Checkbox name="isOpen" label="RSVPs are open on the event’s page" defaultChecked={shown.isOpen === 'on'} />
      <div className="pair">
        <Field
          label="Seats"
          name="capacity"
          type="number"
          inputMode="numeric"
          min={1}
          defaultValue={shown.capacity}
          hint="Guests count. Empty: no limit. With more, whoever waits moves up; with fewer, nobody loses a seat."
          error={problems.capacity}
        />
        <Field
          label="Guests a person may bring"
          name="guestsMax"
          type="number"
          inputMode="numeric"
          min={0}
          max={GUESTS_MAX}
          defaultValue={shown.guestsMax}
          error={problems.guestsMax}
        />
      </div>
      <div className="pair">
        <Field
          label="Price per person, in dollars"
          name="price"
          inputMode="decimal"
          defaultValue={shown.price}
          hint="Paid by card with the RSVP. Empty: nobody pays. Whoever has already answered keeps the price of that day."
          error={problems.price}
        />
        <Field
          label="Price for members, in dollars"
          name="memberPrice"
          inputMode="decimal"
          defaultValue={shown.memberPrice}
          hint="For their own seat, while they are logged in; their guests pay like everybody. 0: free. Empty: the same."
          error={problems.memberPrice}
        />
      </div>
      <Field
        label="Money back until"
        name="refundUntil"
        type="date"
        defaultValue={shown.refundUntil}
        hint="Seats given back by the end of this day are refunded automatically. Empty: never. Guests see it beside the price."
        error={problems.refundUntil}
      />
      <TextArea
        label="Meals to choose from"
        name="meals"
        rows={4}
        defaultValue={shown.meals}
        hint="One per line. Empty: no choice is offered."
        error={problems.meals}
      />
      <div className="pair">
        <Field
          label="Last day for RSVPs"
          name="closesOn"
          type="date"
          defaultValue={shown.closesOn}
          hint="Empty: until the event begins."
          error={problems.closesOn}
        />
        <Field
          label="Credit hours"
          name="creditHours"
          type="number"
          step="0.25"
          min={0.25}
          defaultValue={shown.creditHours}
          hint="They appear on the certificate of attendance. Empty: none."
          error={problems.creditHours}
        />
      </div>
      <TextArea
        label="A few words above the form"
        name="words"
        rows={2}
        maxLength={300}
        defaultValue={shown.words}
        hint="Such as where to park. One line."
        error={problems.words}
      />
      <Button type="submit" busy={form.isSending} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}

/** null when there is none, or it says nothing new. */
function readDraft(typed: unknown, saved: FormValues<OfferField>): FormValues<OfferField> | null {
  if (typeof typed !== 'object' || typed === null) return null
  const kept = new Map<string, unknown>(Object.entries(typed))
  const values = Object.fromEntries(OFFER_FIELDS.map((name) => [name, textOf(kept.get(name))]))
  return OFFER_FIELDS.some((name) => values[name] !== saved[name]) ? (values as FormValues<OfferField>) : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
