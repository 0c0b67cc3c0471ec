import { useNavigate } from 'react-router'
import { copyEvent } from '#contract/console/events/events.ts'
import { addDays } from '#contract/dates/days.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { showToast } from '#web/console/ui/toasts.tsx'
import { eventUrls } from './event-urls.ts'

/** The same weekday a year later. */
const YEAR_OF_WEEKS = 364

interface Copied {
  id: string
  title: string
  startsOn: string | null
}

/** Makes a draft like an event, on another day. */
export function DuplicateDialog({ event, onClose }: { event: Copied | null; onClose(): void }) {
  return (
    <Dialog open={event !== null} onClose={onClose} title={`Duplicate ${event?.title ?? 'event'}?`} width="30rem">
      {event && <DuplicateForm event={event} onDone={onClose} />}
    </Dialog>
  )
}

function DuplicateForm({ event: { id, startsOn }, onDone }: { event: Copied; onDone(): void }) {
  const navigate = useNavigate()
  const form = useForm({
    order: ['startsOn'] as const,
    errorMessage: officerErrorMessage,
    async send(values) {
      const copy = await callAsOfficer(copyEvent, { params: { id }, body: { startsOn: values.startsOn } })
      onDone()
      showToast('Duplicated as a draft. RSVPs are closed until you open them.')
      await navigate(eventUrls(copy.id).details)
    },
  })
  return (
    <form {...form.props}>
      <p>The new event is a draft with the same texts, pictures and RSVP settings. Its other days move along.</p>
      <FormMessages form={form} />
      <Field
        label="First day"
        name="startsOn"
        type="date"
        defaultValue={startsOn === null ? '' : addDays(startsOn, YEAR_OF_WEEKS)}
        {...(form.errors.startsOn !== undefined && { error: form.errors.startsOn })}
      />
      <div className="buttons">
        <Button type="submit" busy={form.isSubmitting} busyLabel="Duplicating">
          Duplicate
        </Button>
        <Button variant="line" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
