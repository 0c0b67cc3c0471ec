import { saveRsvpSettings, type RsvpEvent } from '#contract/console/rsvp.ts'
import { GUESTS_MAX } from '#contract/public/rsvp.ts'
import { officerErrorMessage } from '../shell/call-as-officer.ts'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, TextArea } from '#web/ui/field.tsx'
import { checkRsvpSettings, rsvpSettingsFields, toRsvpSettings, toFormValues } from './rsvp-settings-form.rules.ts'

interface RsvpSettingsFormProps {
  found: RsvpEvent
  onSaved(next: RsvpEvent): void
}

/** The RSVP settings form. Offers to restore unsaved input after a closed tab. */
export function RsvpSettingsForm({ found, onSaved }: RsvpSettingsFormProps) {
  const form = useDraftForm(`rsvp-offer:${found.event.id}`, {
    fields: rsvpSettingsFields(),
    saved: toFormValues(found.offer),
    display: { isOpen: (value) => (value ? 'Yes' : 'No') },
    offersDraft: true,
    savesInTopBar: true,
    check: checkRsvpSettings,
    errorMessage: officerErrorMessage,
    async send(values) {
      const params = { id: found.event.id }
      const body = toRsvpSettings(values, found.offer.version)
      onSaved(await saveAsOfficer(saveRsvpSettings, { params, body }))
    },
  })

  return (
    <form {...form.props}>
      {form.hasOffer && (
        <Banner tone="note" title="You have an unsaved draft from an earlier visit">
          <div className="buttons">
            <Button size="small" onClick={form.restoreDraft}>
              Restore draft
            </Button>
            <Button size="small" variant="line" onClick={form.dropOffer}>
              Discard
            </Button>
          </div>
        </Banner>
      )}
      <DraftFormMessages form={form} />
      <Checkbox {...form.checkbox('isOpen')} />
      <div className="pair">
        <Field
          {...form.field('capacity')}
          type="number"
          inputMode="numeric"
          min={1}
          hint="Includes guests. Leave empty for no limit. More seats go to the waitlist; with fewer, no one loses a seat."
        />
        <Field {...form.field('guestsMax')} type="number" inputMode="numeric" min={0} max={GUESTS_MAX} />
      </div>
      {found.offer.kinds.length === 0 && (
        <div className="pair">
          <Field
            {...form.field('price')}
            inputMode="decimal"
            hint="Paid by card with the RSVP. Leave empty for a free event. Existing RSVPs keep their price."
          />
          <Field
            {...form.field('memberPrice')}
            inputMode="decimal"
            hint="For a member’s own seat while logged in; their guests pay the full price. Enter 0 for free, or leave empty for the same price."
          />
        </div>
      )}
      <Field
        {...form.field('refundUntil')}
        type="date"
        hint="Cancellations through this day are refunded automatically. Leave empty for no refunds. Shown next to the price."
      />
      <TextArea {...form.field('meals')} rows={4} hint="One per line. Leave empty for no choice." />
      <div className="pair">
        <Field {...form.field('closesOn')} type="date" hint="Leave empty to close when the event starts." />
        <Field
          {...form.field('creditHours')}
          type="number"
          step="0.25"
          min={0.25}
          hint="Shown on the certificate of attendance. Leave empty for none."
        />
      </div>
      <TextArea {...form.field('words')} rows={2} maxLength={300} hint="For example, where to park. One line." />
    </form>
  )
}
