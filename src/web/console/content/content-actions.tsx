import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import type { DropdownProps } from '#web/ui/overlays/dropdown.tsx'
import { RowMenu } from '../ui/row-menu.tsx'
import type { ContentEditor } from './use-content-editor.ts'

/** Publish, and in the menu: save the draft now, schedule, unpublish, delete. */
export function ContentActions({
  editor,
  more = [],
}: {
  editor: ContentEditor
  more?: DropdownProps['items'] | undefined
}) {
  const { record, action, problems, save, remove, unpublish } = editor
  const { one } = record.kind
  const [dialog, setDialog] = useState<'schedule' | 'delete' | null>(null)
  const [moment, setMoment] = useState(record.publishAt?.local ?? '')
  const close = () => setDialog(null)
  const isPublic = record.state === 'published' || record.state === 'changed'
  return (
    <>
      <div className="content-actions">
        <Button
          size="small"
          busy={action.busy === 'publish'}
          busyLabel="Publishing"
          onClick={() => void save('publish')}
        >
          {isPublic ? 'Publish changes' : 'Publish'}
        </Button>
        <RowMenu
          name={`More actions for ${record.title}`}
          items={[
            { label: 'Save draft', onSelect: () => void save('draft') },
            { label: 'Schedule', onSelect: () => setDialog('schedule') },
            ...more,
            ...(record.canDelete && isPublic ? [{ label: 'Unpublish', onSelect: () => void unpublish() }] : []),
            ...(record.canDelete ? [{ label: 'Delete', onSelect: () => setDialog('delete') }] : []),
          ]}
        />
      </div>
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
          It disappears from the site immediately, and links to it stop working. You can restore it from its history.
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
