import { useState } from 'react'
import { answerMessage, type MessageDetail, type MessageTemplate } from '#contract/console-messages.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldBox, TextArea } from '#web/ui/field.tsx'
import { callAsOfficer, explainToOfficer } from './console-door.ts'
import { useDraft } from './draft.ts'
import { heedOthers } from './heed-others.ts'

const FIELDS = ['text'] as const

/** An answer by letter; what is written stays in this browser until it went out. */
export function AnswerForm({
  message: { id, name, version, answers },
  templates,
  onAnswered,
  reload,
}: {
  message: MessageDetail
  templates: readonly MessageTemplate[]
  onAnswered(message: MessageDetail): void
  reload(): void
}) {
  const draft = useDraft(`answer:${id}`)
  const [sent, setSent] = useState(false)
  const form = useForm({
    order: FIELDS,
    explain: explainToOfficer,
    async send({ text }) {
      setSent(false)
      const body = { text, version }
      onAnswered(await heedOthers(reload, () => callAsOfficer(answerMessage, { params: { id }, body })))
      draft.forget()
      setSent(true)
    },
  })
  const { text: problem } = form.problems

  return (
    <form {...form.props} className="sheet">
      <h2>{answers.length === 0 ? 'Answer by letter' : 'Write again'}</h2>
      <FormMessages form={form} />
      <div role="status">
        {sent && <Banner tone="good">Your answer is on its way to {name}.</Banner>}
        {!sent && draft.isFound && <Banner tone="note">This is what you had begun to write here.</Banner>}
      </div>
      {templates.length > 0 && (
        <FieldBox id="template" label="Begin with a template">
          <select
            className="input"
            id="template"
            defaultValue=""
            onChange={({ target }) => {
              const chosen = templates.find((template) => template.id === target.value)
              target.value = ''
              if (chosen) draft.setText(draft.text === '' ? chosen.text : `${draft.text}\n\n${chosen.text}`)
            }}
          >
            <option value="">Choose one to put its words below</option>
            {templates.map((template) => (
              <option key={template.id} value={template.id}>
                {template.name}
              </option>
            ))}
          </select>
        </FieldBox>
      )}
      <TextArea
        label="Your answer"
        name="text"
        rows={9}
        value={draft.text}
        onChange={(event) => draft.setText(event.target.value)}
        hint="It is signed with your name, and what they wrote stands below. Whatever they answer goes to the association’s mailbox."
        {...(problem === undefined ? {} : { error: problem })}
      />
      <Button type="submit" busy={form.isSending} busyLabel="Sending the answer">
        Send the answer
      </Button>
    </form>
  )
}
