import { useState, type ReactNode } from 'react'
import { saveRsvpOffer, type RsvpEvent } from '#contract/console-rsvp.ts'
import { GUESTS_MAX } from '#contract/rsvp.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { heedOthers, useOvertaken } from '#web/features/console/heed-others.ts'
import { findFields, keepFields, type KeptFields } from '#web/features/console/kept-fields.ts'
import { keepTyped } from '#web/features/console/kept.ts'
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
  const [isOffered, setOffered] = useState(() => saysNews(findFields(record), saved))
  const [taken, setTaken] = useState<KeptFields>({})

  return (
    <OfferFields
      key={JSON.stringify(taken)}
      found={found}
      saved={saved}
      taken={taken}
      reload={reload}
      onLeft={(entered) =>
        keepFields(record, { entered, given: saved, ...(isOffered && { besides: findFields(record) }) })
      }
      onSaved={(next) => {
        keepTyped(record, null)
        onSaved(next)
      }}
    >
      {isOffered && (
        <Banner tone="note" title="You typed something here that was not saved">
          <div className="buttons">
            <Button
              size="small"
              onClick={() => {
                // Read anew: something may have been typed while this was offered.
                setTaken(findFields(record))
                setOffered(false)
              }}
            >
              Take it up again
            </Button>
            <Button
              size="small"
              variant="line"
              onClick={() => {
                keepTyped(record, null)
                setOffered(false)
              }}
            >
              Forget it
            </Button>
          </div>
        </Banner>
      )}
    </OfferFields>
  )
}

interface OfferFieldsProps extends OfferFormProps {
  saved: FormValues<OfferField>
  /** Stands in place of what is saved. */
  taken: KeptFields
  /** A field was left. */
  onLeft(entered: FormValues<OfferField>): void
  children: ReactNode
}

function OfferFields({ found, saved, taken, onLeft, onSaved, reload, children }: OfferFieldsProps) {
  const [shown] = useState(() => withFields(saved, taken))
  const form = useForm({
    order: OFFER_FIELDS,
    check: checkOffer,
    explain: explainToOfficer,
    async send(values) {
      const params = { id: found.event.id }
      const body = offeredIn(values, found.offer.version)
      onSaved(await heedOthers(reload, () => callAsOfficer(saveRsvpOffer, { params, body })))
    },
  })
  const overtaken = useOvertaken(form.props.ref, saved, taken)
  const { problems } = form

  return (
    <form {...form.props} onBlur={(event) => onLeft(readValues(event.currentTarget, OFFER_FIELDS))}>
      {children}
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

function saysNews(kept: KeptFields, saved: FormValues<OfferField>): boolean {
  const shown = withFields(saved, kept)
  return OFFER_FIELDS.some((name) => shown[name] !== saved[name])
}

function withFields(saved: FormValues<OfferField>, kept: KeptFields): FormValues<OfferField> {
  const values = OFFER_FIELDS.map((name) => [name, kept[name]?.value ?? saved[name]])
  return Object.fromEntries(values) as FormValues<OfferField>
}
