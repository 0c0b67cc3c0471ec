import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import type { ContentEditor } from './use-content-editor.ts'

/** What can be done with the record, always in reach. */
export function ContentActions({ editor }: { editor: ContentEditor }) {
  const { record, action, problems, save, remove } = editor
  const { one } = record.kind
  const [dialog, setDialog] = useState<'schedule' | 'delete' | null>(null)
  const [moment, setMoment] = useState(record.publishAt?.local ?? '')
  const close = () => setDialog(null)
  return (
    <>
      <div className="content-actions buttons">
        <Button
          size="small"
          busy={action.busy === 'publish'}
          busyLabel="Publishing"
          onClick={() => void save('publish')}
        >
          Publish
        </Button>
        <Button
          variant="line"
          size="small"
          busy={action.busy === 'draft'}
          busyLabel="Saving"
          onClick={() => void save('draft')}
        >
          Save as draft
        </Button>
        <Button variant="line" size="small" busy={action.busy === 'schedule'} onClick={() => setDialog('schedule')}>
          Schedule
        </Button>
      </div>
      {record.canDelete && (
        <p className="content-delete">
          <Button variant="danger" size="small" busy={action.busy === 'delete'} onClick={() => setDialog('delete')}>
            Delete
          </Button>
        </p>
      )}
      <Dialog open={dialog === 'schedule'} onClose={close} title="Publish later" width="30rem">
        <Field
          label="Day and time, on the association’s clock"
          name="publishAt"
          type="datetime-local"
          value={moment}
          onChange={({ target }) => setMoment(target.value)}
          {...(problems['publishAt'] && { error: problems['publishAt'] })}
        />
        <p>Until then visitors see what they see now. Saving a draft or publishing takes this back.</p>
        <Button
          onClick={() => {
            close()
            void save('schedule', moment.slice(0, 16))
          }}
        >
          Schedule it
        </Button>
      </Dialog>
      <Dialog open={dialog === 'delete'} onClose={close} title={`Delete this ${one}?`} width="30rem">
        <p>
          It disappears from the site within a second, and links to it lead nowhere. Its versions are kept and can bring
          it back.
        </p>
        <div className="buttons">
          <Button
            variant="danger"
            onClick={() => {
              close()
              void remove()
            }}
          >
            Delete it
          </Button>
          <Button variant="line" onClick={close}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </>
  )
}
