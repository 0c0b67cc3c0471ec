import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { officerErrorMessage } from '../shell/call-as-officer.ts'

/** The day by which a benefit is to be delivered; none is fine. */
export function DeadlineForm({ dueOn, onSave }: { dueOn: string | null; onSave(dueOn: string | null): Promise<void> }) {
  const form = useForm({
    order: ['dueOn'] as const,
    errorMessage: officerErrorMessage,
    send: ({ dueOn: day }) => onSave(day || null),
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field
        label="Due on"
        name="dueOn"
        type="date"
        defaultValue={dueOn ?? ''}
        hint="Leave empty for no deadline."
        {...(form.errors.dueOn !== undefined && { error: form.errors.dueOn })}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}
