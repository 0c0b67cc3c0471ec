import { guestMessageLimits, saveEventNotes, type EventEmails } from '#contract/console/events/events.ts'
import { TextArea } from '#web/ui/field.tsx'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { showToast } from '#web/console/ui/toasts.tsx'

const FIELDS = { confirmation: 'Also in the confirmation', reminder: 'Also in the reminder' }

/** What the confirmation and the reminder of one event also say. */
export function EventNotesForm({
  eventId,
  notes: { version, ...saved },
  onSaved,
}: {
  eventId: string
  notes: EventEmails['notes']
  onSaved(emails: EventEmails): void
}) {
  const form = useDraftForm(`event-notes:${eventId}`, {
    fields: FIELDS,
    saved,
    savesInTopBar: true,
    errorMessage: officerErrorMessage,
    async send(values) {
      onSaved(await saveAsOfficer(saveEventNotes, { params: { id: eventId }, body: { ...values, version } }))
      showToast('Saved. The next emails have it.')
    },
  })
  return (
    <form {...form.props} className="flow">
      <DraftFormMessages form={form} />
      <TextArea
        {...form.field('confirmation')}
        rows={3}
        maxLength={guestMessageLimits.note}
        hint="For example, where to park or what to bring."
      />
      <TextArea {...form.field('reminder')} rows={3} maxLength={guestMessageLimits.note} />
    </form>
  )
}
