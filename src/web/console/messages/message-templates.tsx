import { useState } from 'react'
import {
  addTemplate,
  changeTemplate,
  listTemplates,
  removeTemplate,
  type MessageTemplate,
} from '#contract/console/messages.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field, TextArea } from '#web/ui/field.tsx'

/** Templates for common replies. */
export default function MessageTemplatesPage() {
  const found = useLoaded(listTemplates)
  const action = useAction()
  const [editing, setEditing] = useState<MessageTemplate | 'new' | null>(null)
  const [removing, setRemoving] = useState<MessageTemplate | null>(null)

  async function remove({ id, name }: MessageTemplate) {
    setRemoving(null)
    await action.run(
      id,
      async () => found.setValue(await callAsOfficer(removeTemplate, { params: { id } })),
      `“${name}” was removed.`,
    )
  }

  return (
    <ConsolePage
      title="Templates"
      lead="Saved text for common replies."
      action={
        <div className="buttons">
          <ButtonLink variant="line" to="/console/messages">
            Inbox
          </ButtonLink>
          <Button onClick={() => setEditing('new')}>Add template</Button>
        </div>
      }
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={found} what="the templates">
        {({ templates }) => (
          <>
            {templates.length === 0 && <p className="card">No templates yet. Save a reply you write often.</p>}
            <ul className="entries">
              {templates.map((template) => (
                <li key={template.id} className="card entry">
                  <div>
                    <h2>{template.name}</h2>
                    <p className="preformatted">{template.text}</p>
                  </div>
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`Edit ${template.name}`}
                    onClick={() => setEditing(template)}
                  >
                    Edit
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
        title={editing === 'new' ? 'Add template' : 'Edit template'}
        width="40rem"
      >
        {editing && (
          <TemplateForm
            template={
              editing === 'new' ? null : (found.value?.templates.find(({ id }) => id === editing.id) ?? editing)
            }
            onSaved={(list) => {
              found.setValue(list)
              setEditing(null)
            }}
          />
        )}
      </Dialog>
      <Dialog open={removing !== null} onClose={() => setRemoving(null)} title="Remove this template?" width="30rem">
        {removing && (
          <>
            <p>“{removing.name}” is removed for all officers. Replies already sent with it are not affected.</p>
            <div className="buttons">
              <Button variant="danger" onClick={() => void remove(removing)}>
                Remove
              </Button>
              <Button variant="line" onClick={() => setRemoving(null)}>
                Cancel
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </ConsolePage>
  )
}

const FIELDS = { name: 'Name', text: 'Text' }

function TemplateForm({
  template,
  onSaved,
}: {
  template: MessageTemplate | null
  onSaved(list: ReplyOf<typeof listTemplates>): void
}) {
  const form = useDraftForm(`template:${template?.id ?? 'new'}`, {
    fields: FIELDS,
    saved: { name: template?.name ?? '', text: template?.text ?? '' },
    errorMessage: officerErrorMessage,
    async send(values) {
      const list = template
        ? await saveAsOfficer(changeTemplate, {
            params: { id: template.id },
            body: { ...values, version: template.version },
          })
        : await callAsOfficer(addTemplate, { body: values })
      onSaved(list)
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field {...form.field('name')} autoComplete="off" />
      <TextArea {...form.field('text')} rows={8} />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}
