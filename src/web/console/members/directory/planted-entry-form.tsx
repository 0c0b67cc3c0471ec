import { addPlantedEntry, READERS_NUMBER, type PlantedEntries } from '#contract/console/people/planted-entries.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { checkControls } from '#web/shared/member-record/check-record.rules.ts'
import { RecordControl } from '#web/shared/member-record/record-control.tsx'
import { controlLabels, readControls } from '#web/shared/member-record/record-form.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

interface PlantedEntryFormProps {
  fields: PlantedEntries['fields']
  onAdded(entries: PlantedEntries): void
}

const NAMES = { firstName: 'First name', lastName: 'Last name' }

/** An invented person with what the directory shows of one. */
export function PlantedEntryForm({ fields: known, onAdded }: PlantedEntryFormProps) {
  // No one is asked here: nothing is required.
  const fields = known.map((field) => ({ ...field, isRequired: false, hint: null }))
  const form = useDraftForm<string>('planted-entry', {
    fields: {
      ...NAMES,
      ...(Object.assign({}, ...fields.map((field) => controlLabels('values', field))) as Record<string, string>),
    },
    check: (texts) => checkControls('values', fields, texts),
    errorMessage: officerErrorMessage,
    async send(texts) {
      const values = Object.fromEntries(fields.map((field) => [field.key, readControls('values', field, texts)]))
      const { firstName = '', lastName = '' } = texts
      onAdded(await callAsOfficer(addPlantedEntry, { body: { firstName, lastName, values } }))
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <p className="form-messages soft">
        Invent a name that no one in your field has: look it up first. A phone number has to be the association’s own.
        Where you write <code>{READERS_NUMBER}</code>, as in “Suite {READERS_NUMBER}”, each log-in sees a number of its
        own, by which a copy leads to it.
      </p>
      <div className="pair">
        <Field {...form.field('firstName')} autoComplete="off" />
        <Field {...form.field('lastName')} autoComplete="off" />
      </div>
      {fields.map((field) => (
        <RecordControl
          key={field.key}
          part="values"
          field={field}
          form={{ text: (name) => form.field(name), check: (name) => form.checkbox(name) }}
        />
      ))}
      <Button type="submit" busy={form.isSubmitting} busyLabel="Adding">
        Add the entry
      </Button>
    </form>
  )
}
