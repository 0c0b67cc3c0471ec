import { useState } from 'react'
import { undoContentImport, type ContentImportReport } from '#contract/console/website/content-import.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Link } from '#web/ui/link.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

const records = (count: number) => (count === 1 ? '1 record' : `${count.toLocaleString('en-US')} records`)

/** Undoes a finished import after showing and confirming what that removes. */
export function ContentImportUndo({ report, onChanged }: { report: ContentImportReport; onChanged(): void }) {
  const { id, undo, undoBegunAt, undoneAt } = report
  const action = useAction()
  const [isAsking, setAsking] = useState(false)
  if (!undo || (undo.removes + undo.keeps === 0 && undoBegunAt === null)) return null
  const isUndoing = undoBegunAt !== null && undoneAt === null

  function confirm() {
    setAsking(false)
    void action.run('undo', async () => {
      await callAsOfficer(undoContentImport, { params: { id }, body: {} })
      onChanged()
    })
  }

  return (
    <Card title="Undo this import">
      <ActionMessages action={action} />
      {isUndoing && <p role="status">Undoing: {records(undo.removes)} left. You can leave this page.</p>}
      {undoneAt && undo.keeps > 0 && <p>{records(undo.keeps)} stayed, because someone had changed them.</p>}
      {undoneAt && undo.keeps === 0 && <p>Everything that it made was removed.</p>}
      {undoBegunAt === null && (
        <>
          <p>
            {undo.removes === 0
              ? 'This import can’t be undone: everything has been changed since.'
              : `Removes ${records(undo.removes)} that no one has changed since, with their redirects and the pictures that nothing else uses.`}{' '}
            {undo.removes > 0 && undo.keeps > 0 && `${records(undo.keeps)} will stay.`}
          </p>
          {undo.removes > 0 && (
            <Button
              variant="line"
              busy={action.busy !== null}
              busyLabel="Starting"
              onClick={() => setAsking(true)}
            >{`Undo import, remove ${records(undo.removes)}`}</Button>
          )}
        </>
      )}
      {undo.kept.length > 0 && (
        <details className="more-filters">
          <summary>{undoneAt ? 'Records that stayed' : 'Records that will stay'}</summary>
          <ul>
            {undo.kept.map(({ title, path }) => (
              <li key={path}>
                <Link to={path}>{title}</Link>
              </li>
            ))}
          </ul>
          {undo.keeps > undo.kept.length && <p>Showing the first {undo.kept.length}.</p>}
        </details>
      )}
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={`Remove ${records(undo.removes)}?`} width="34rem">
        <p>
          Visitors no longer see them. The history of each keeps its text, and can restore it. The same file can be
          imported again.
        </p>
        <div className="buttons">
          <Button variant="danger" onClick={confirm}>
            Remove
          </Button>
          <Button variant="line" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </Card>
  )
}
