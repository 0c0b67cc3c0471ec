import { useState, type ReactNode } from 'react'
import { saveRsvpSettings, type RsvpEvent } from '#contract/console/rsvp.ts'
import { GUESTS_MAX } from '#contract/public/rsvp.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { saveOrReloadOnConflict, useFieldConflicts } from '../forms/edit-conflicts.ts'
import { readDraftFields, storeDraftFields, type DraftFields } from '../forms/draft-fields.ts'
import { storeDraft } from '../forms/draft-storage.ts'
import { ConflictBanner } from '../forms/conflict-banner.tsx'
import { FormMessages } from '#web/forms/form-messages.tsx'
import type { FormValues } from '#web/forms/validate.rules.ts'
import { readValues, useForm } from '#web/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, TextArea } from '#web/ui/field.tsx'
import {
  checkRsvpSettings,
  RSVP_SETTINGS_FIELDS,
  toRsvpSettings,
  toFormValues,
  type RsvpSettingsField,
} from './rsvp-settings-form.rules.ts'

interface RsvpSettingsFormProps {
  found: RsvpEvent
  onSaved(next: RsvpEvent): void
  reload(): void
}

/** The RSVP settings form. Offers to restore unsaved input after a closed tab. */
export function RsvpSettingsForm({ found, onSaved, reload }: RsvpSettingsFormProps) {
  const saved = toFormValues(found.offer)
  const record = `rsvp-offer:${found.event.id}`
  const [hasDraft, setHasDraft] = useState(() => differs(readDraftFields(record), saved))
  const [restored, setRestored] = useState<DraftFields>({})

  return (
    <RsvpSettingsFields
      key={JSON.stringify(restored)}
      found={found}
      saved={saved}
      restored={restored}
      reload={reload}
      onLeft={(entered) =>
        storeDraftFields(record, { entered, given: saved, ...(hasDraft && { besides: readDraftFields(record) }) })
      }
      onSaved={(next) => {
        storeDraft(record, null)
        onSaved(next)
      }}
    >
      {hasDraft && (
        <Banner tone="note" title="You have an unsaved draft from an earlier visit">
          <div className="buttons">
            <Button
              size="small"
              onClick={() => {
                // Read again: there may be newer input since the banner appeared.
                setRestored(readDraftFields(record))
                setHasDraft(false)
              }}
            >
              Restore draft
            </Button>
            <Button
              size="small"
              variant="line"
              onClick={() => {
                storeDraft(record, null)
                setHasDraft(false)
              }}
            >
              Discard
            </Button>
          </div>
        </Banner>
      )}
    </RsvpSettingsFields>
  )
}

interface RsvpSettingsFieldsProps extends RsvpSettingsFormProps {
  saved: FormValues<RsvpSettingsField>
  /** Replaces the saved values. */
  restored: DraftFields
  /** Called when a field loses focus. */
  onLeft(entered: FormValues<RsvpSettingsField>): void
  children: ReactNode
}

function RsvpSettingsFields({ found, saved, restored, onLeft, onSaved, reload, children }: RsvpSettingsFieldsProps) {
  const [shown] = useState(() => withFields(saved, restored))
  const form = useForm({
    order: RSVP_SETTINGS_FIELDS,
    check: checkRsvpSettings,
    errorMessage: officerErrorMessage,
    async send(values) {
      const params = { id: found.event.id }
      const body = toRsvpSettings(values, found.offer.version)
      onSaved(await saveOrReloadOnConflict(reload, () => callAsOfficer(saveRsvpSettings, { params, body })))
    },
  })
  const conflicts = useFieldConflicts(form.props.ref, saved, restored)
  const { errors: problems } = form

  return (
    <form {...form.props} onBlur={(event) => onLeft(readValues(event.currentTarget, RSVP_SETTINGS_FIELDS))}>
      {children}
      <FormMessages form={form} />
      <ConflictBanner conflicts={conflicts} />
      <Checkbox name="isOpen" label="RSVPs are open on the event’s page" defaultChecked={shown.isOpen === 'on'} />
      <div className="pair">
        <Field
          label="Seats"
          name="capacity"
          type="number"
          inputMode="numeric"
          min={1}
          defaultValue={shown.capacity}
          hint="Includes guests. Leave empty for no limit. More seats go to the waitlist; with fewer, no one loses a seat."
          error={problems.capacity}
        />
        <Field
          label="Guests per person"
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
          label="Price per person ($)"
          name="price"
          inputMode="decimal"
          defaultValue={shown.price}
          hint="Paid by card with the RSVP. Leave empty for a free event. Existing RSVPs keep their price."
          error={problems.price}
        />
        <Field
          label="Member price ($)"
          name="memberPrice"
          inputMode="decimal"
          defaultValue={shown.memberPrice}
          hint="For a member’s own seat while logged in; their guests pay the full price. Enter 0 for free, or leave empty for the same price."
          error={problems.memberPrice}
        />
      </div>
      <Field
        label="Refunds until"
        name="refundUntil"
        type="date"
        defaultValue={shown.refundUntil}
        hint="Cancellations through this day are refunded automatically. Leave empty for no refunds. Shown next to the price."
        error={problems.refundUntil}
      />
      <TextArea
        label="Meal choices"
        name="meals"
        rows={4}
        defaultValue={shown.meals}
        hint="One per line. Leave empty for no choice."
        error={problems.meals}
      />
      <div className="pair">
        <Field
          label="Last day for RSVPs"
          name="closesOn"
          type="date"
          defaultValue={shown.closesOn}
          hint="Leave empty to close when the event starts."
          error={problems.closesOn}
        />
        <Field
          label="Credit hours"
          name="creditHours"
          type="number"
          step="0.25"
          min={0.25}
          defaultValue={shown.creditHours}
          hint="Shown on the certificate of attendance. Leave empty for none."
          error={problems.creditHours}
        />
      </div>
      <TextArea
        label="Note above the form"
        name="words"
        rows={2}
        maxLength={300}
        defaultValue={shown.words}
        hint="For example, where to park. One line."
        error={problems.words}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}

function differs(kept: DraftFields, saved: FormValues<RsvpSettingsField>): boolean {
  const shown = withFields(saved, kept)
  return RSVP_SETTINGS_FIELDS.some((name) => shown[name] !== saved[name])
}

function withFields(saved: FormValues<RsvpSettingsField>, kept: DraftFields): FormValues<RsvpSettingsField> {
  const values = RSVP_SETTINGS_FIELDS.map((name) => [name, kept[name]?.value ?? saved[name]])
  return Object.fromEntries(values) as FormValues<RsvpSettingsField>
}
