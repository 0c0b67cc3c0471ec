import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import type { ContentEditor } from './use-content-editor.ts'

/** Publish, save, schedule and delete. */
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
          label="Date and time (association time)"
          name="publishAt"
          type="datetime-local"
          value={moment}
          onChange={({ target }) => setMoment(target.value)}
          {...(problems['publishAt'] && { error: problems['publishAt'] })}
        />
        <p>Visitors see the current version until then. Saving a draft or publishing cancels the schedule.</p>
        <Button
          onClick={() => {
            close()
            void save('schedule', moment.slice(0, 16))
          }}
        >
          Schedule
        </Button>
      </Dialog>
      <Dialog open={dialog === 'delete'} onClose={close} title={`Delete this ${one}?`} width="30rem">
        <p>
          It disappears from the site immediately, and links to it stop working. You can restore it from its versions.
        </p>
        <div className="buttons">
          <Button
            variant="danger"
            onClick={() => {
              close()
              void remove()
            }}
          >
            Delete
          </Button>
          <Button variant="line" onClick={close}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  )
}
