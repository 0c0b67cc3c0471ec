import { addMessageNote, type MessageDetail } from '#contract/console/messages.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { useDraft } from '../forms/use-draft.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'

const EMPTY = { version: 0, value: '' }

/** A note for the other officers; the sender never sees it. */
export function MessageNoteForm({ id, onAdded }: { id: string; onAdded(message: MessageDetail): void }) {
  const draft = useDraft(`message-note:${id}`, { saved: EMPTY })
  const form = useForm({
    order: ['text'] as const,
    errorMessage: officerErrorMessage,
    async send({ text }) {
      const message = await callAsOfficer(addMessageNote, { params: { id }, body: { text } })
      draft.discard()
      onAdded(message)
    },
  })
  return (
    <form {...form.props} className="flow">
      <FormMessages form={form} />
      <TextArea
        label="Note"
        name="text"
        rows={4}
        value={draft.value}
        onChange={({ target }) => draft.change(() => target.value)}
        hint="Officers only. The sender never sees it."
        {...(form.errors.text !== undefined && { error: form.errors.text })}
      />
      <Button type="submit" variant="line" busy={form.isSubmitting} busyLabel="Adding">
        Add note
      </Button>
    </form>
  )
}
