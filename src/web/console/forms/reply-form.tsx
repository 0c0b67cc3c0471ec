import { useState } from 'react'
import { replyToMessage, type MessageDetail, type MessageTemplate } from '#contract/console/messages.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldBox, TextArea } from '#web/ui/field.tsx'
import { officerErrorMessage } from '../shell/call-as-officer.ts'
import { useDraft } from './use-draft.ts'
import { saveAsOfficer } from '../shell/save-as-officer.ts'

const FIELDS = ['text'] as const
const NOTHING = { version: 0, value: '' }
/** Earlier releases stored the text alone. */
const readEarlier = (stored: unknown) => (typeof stored === 'string' ? { version: 0, value: stored } : undefined)

/** Replies by email. The draft stays in this browser until it is sent. */
export function ReplyForm({
  message: { id, name, version, answers },
  templates,
  onAnswered,
}: {
  message: MessageDetail
  templates: readonly MessageTemplate[]
  onAnswered(message: MessageDetail): void
}) {
  const draft = useDraft(`answer:${id}`, { saved: NOTHING, readEarlier })
  const [sent, setSent] = useState(false)
  const form = useForm({
    order: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ text }) {
      setSent(false)
      const body = { text, version }
      onAnswered(await saveAsOfficer(replyToMessage, { params: { id }, body }))
      draft.discard()
      setSent(true)
    },
  })
  const { text: problem } = form.errors

  return (
    <form {...form.props} className="card">
      <h2>{answers.length === 0 ? 'Reply by email' : 'Reply again'}</h2>
      <FormMessages form={form} />
      <div role="status">
        {sent && <Banner tone="good">Your reply is on its way to {name}.</Banner>}
        {!sent && draft.isRestored && <Banner tone="note">We restored your unsaved draft.</Banner>}
      </div>
      {templates.length > 0 && (
        <FieldBox id="template" label="Start from a template">
          <select
            className="input"
            id="template"
            defaultValue=""
            onChange={({ target }) => {
              const chosen = templates.find((template) => template.id === target.value)
              target.value = ''
              if (chosen) draft.change((text) => (text === '' ? chosen.text : `${text}\n\n${chosen.text}`))
            }}
          >
            <option value="">Choose a template to insert</option>
            {templates.map((template) => (
              <option key={template.id} value={template.id}>
                {template.name}
              </option>
            ))}
          </select>
        </FieldBox>
      )}
      <TextArea
        label="Your reply"
        name="text"
        rows={9}
        value={draft.value}
        onChange={({ target }) => draft.change(() => target.value)}
        hint="It is signed with your name and quotes their message. Their reply goes to the association’s mailbox."
        {...(problem === undefined ? {} : { error: problem })}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Sending">
        Send reply
      </Button>
    </form>
  )
}
