import { useState } from 'react'
import {
  addTemplate,
  changeTemplate,
  listTemplates,
  removeTemplate,
  type MessageTemplate,
} from '#contract/console-messages.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { heedOthers, useOvertaken } from '#web/features/console/heed-others.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { SaysNow } from '#web/features/console/says-now.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field, TextArea } from '#web/ui/field.tsx'

/** Words for answers that are written often. */
export default function MessageTemplatesPage() {
  const found = useLoaded('templates', async () => (await callAsOfficer(listTemplates)).templates)
  const action = useAction()
  const [editing, setEditing] = useState<MessageTemplate | 'new' | null>(null)
  const [removing, setRemoving] = useState<MessageTemplate | null>(null)

  async function remove({ id, name }: MessageTemplate) {
    setRemoving(null)
    await action.run(
      id,
      async () => found.setValue((await callAsOfficer(removeTemplate, { params: { id } })).templates),
      `“${name}” is removed.`,
    )
  }

  return (
    <ConsolePage
      title="Templates"
      lead="Words for answers that are written often."
      action={
        <div className="buttons">
          <ButtonLink variant="line" to="/console/messages">
            All messages
          </ButtonLink>
          <Button onClick={() => setEditing('new')}>Add a template</Button>
        </div>
      }
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={found} what="the templates">
        {(templates) => (
          <>
            {templates.length === 0 && (
              <p className="sheet">There is none yet. What you write for the third time may become one.</p>
            )}
            <ul className="entries">
              {templates.map((template) => (
                <li key={template.id} className="sheet entry">
                  <div>
                    <h2>{template.name}</h2>
                    <p className="as-written">{template.text}</p>
                  </div>
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`Change ${template.name}`}
                    onClick={() => setEditing(template)}
                  >
                    Change
                  </Button>
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`Remove ${template.name}`}
                    busy={action.busy === template.id}
                    busyLabel="Removing"
                    onClick={() => setRemoving(template)}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )}
      </WhenLoaded>
      <Dialog
        open={editing !== null}
        onClose={() => setEditing(null)}
        title={editing === 'new' ? 'Add a template' : 'Change the template'}
        width="40rem"
      >
        {editing && (
          <TemplateForm
            template={editing === 'new' ? null : (found.value?.find(({ id }) => id === editing.id) ?? editing)}
            reload={found.reload}
            onSaved={(templates) => {
              found.setValue(templates)
              setEditing(null)
            }}
          />
        )}
      </Dialog>
      <Dialog open={removing !== null} onClose={() => setRemoving(null)} title="Remove this template?" width="30rem">
        {removing && (
          <>
            <p>“{removing.name}” is removed for all officers. Answers that were sent with it stay as they are.</p>
            <div className="buttons">
              <Button variant="danger" onClick={() => void remove(removing)}>
                Remove it
              </Button>
              <Button variant="line" onClick={() => setRemoving(null)}>
                Keep it
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </ConsolePage>
  )
}

const FIELDS = ['name', 'text'] as const

function TemplateForm({
  template,
  reload,
  onSaved,
}: {
  template: MessageTemplate | null
  reload(): void
  onSaved(templates: MessageTemplate[]): void
}) {
  const form = useKeptForm(`template:${template?.id ?? 'new'}`, {
    order: FIELDS,
    explain: explainToOfficer,
    async send(words) {
      const { templates } = template
        ? await heedOthers(reload, () =>
            callAsOfficer(changeTemplate, {
              params: { id: template.id },
              body: { ...words, version: template.version },
            }),
          )
        : await callAsOfficer(addTemplate, { body: words })
      onSaved(templates)
    },
  })
  const saved = { name: template?.name ?? '', text: template?.text ?? '' }
  const overtaken = useOvertaken(form.props.ref, saved, form.found)
  const { name, text } = form.problems
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <SaysNow overtaken={overtaken} />
      <Field
        label="Name"
        name="name"
        defaultValue={template?.name}
        autoComplete="off"
        {...(name === undefined ? {} : { error: name })}
      />
      <TextArea
        label="Words"
        name="text"
        rows={8}
        defaultValue={template?.text}
        {...(text === undefined ? {} : { error: text })}
      />
      <Button type="submit" busy={form.isSending} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}
