import { useState } from 'react'
import { undoImport, type AccountUse, type ImportReport } from '#contract/console-import.ts'
import { formatMoment } from '#contract/dates.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Link } from '#web/ui/link.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const BECAUSE: Record<AccountUse, string> = {
  'logged-in': 'chose a password',
  paid: 'paid or began to pay',
  'gave-credentials': 'gave credentials',
  merged: 'was merged with another account',
  changed: 'was changed after the import',
}
const accounts = (count: number) => (count === 1 ? '1 account' : `${count.toLocaleString('en-US')} accounts`)

/** Takes a finished import back: what that would do is said first, and asked about once more. */
export function ImportUndo({ report, onChanged }: { report: ImportReport; onChanged(report: ImportReport): void }) {
  const { id, counts, undo, undoBegunAt, undoneAt, undoneBy } = report
  const action = useAction()
  const [isAsking, setAsking] = useState(false)
  if (!undo || counts.new === 0) return null
  const isGoingOn = undoBegunAt !== null && undoneAt === null

  function confirm() {
    setAsking(false)
    void action.run('undo', async () => onChanged(await callAsOfficer(undoImport, { params: { id }, body: {} })))
  }

  return (
    <Sheet title="Undo this import">
      <ActionMessages action={action} />
      {undoneAt && (
        <p>
          {undoneBy} undid it on {formatMoment(undoneAt)}.{' '}
          {undo.keeps > 0 && `${accounts(undo.keeps)} stayed, because somebody had used or changed them.`}
        </p>
      )}
      {isGoingOn && (
        <p role="status">
          It is being taken back; {accounts(undo.removes)} to go. You may leave this page; it goes on.
        </p>
      )}
      {undoBegunAt === null && (
        <>
          <p>
            {undo.removes === 0
              ? 'Nothing of it can be taken back: somebody has used or changed each account since.'
              : `Removes ${accounts(undo.removes)} that the import made and nobody has used since.`}{' '}
            {undo.removes > 0 && undo.keeps > 0 && `${accounts(undo.keeps)} would stay.`}
          </p>
          {undo.removes > 0 && (
            <Button
              variant="line"
              busy={action.busy !== null}
              busyLabel="Beginning"
              onClick={() => setAsking(true)}
            >{`Remove ${accounts(undo.removes)}`}</Button>
          )}
        </>
      )}
      {undo.kept.length > 0 && (
        <details className="more-filters">
          <summary>{undoneAt ? 'Who stayed' : 'Who would stay'}</summary>
          <ul>
            {undo.kept.map(({ id: accountId, name, because }) => (
              <li key={accountId}>
                <Link to={`/console/members/${accountId}`}>{name}</Link> {BECAUSE[because]}
              </li>
            ))}
          </ul>
          {undo.keeps > undo.kept.length && <p>The first {undo.kept.length} are shown.</p>}
        </details>
      )}
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Remove ${accounts(undo.removes)}?`}
        width="34rem"
      >
        <ul>
          <li>
            {accounts(undo.removes)} {undo.removes === 1 ? 'goes, with its' : 'go, each with its'} membership. Links in
            invitations stop working. Nobody gets an email.
          </li>
          {undo.keeps > 0 && (
            <li>
              {accounts(undo.keeps)} {undo.keeps === 1 ? 'stays' : 'stay'}, because somebody has used or changed{' '}
              {undo.keeps === 1 ? 'it' : 'them'} since.
            </li>
          )}
          {counts.changed > 0 && (
            <li>
              Members who were here before stay as the import changed them: {counts.changed.toLocaleString('en-US')}.
              The history of each says what stood there before.
            </li>
          )}
        </ul>
        <div className="buttons">
          <Button variant="danger" onClick={confirm}>
            Remove
          </Button>
          <Button variant="line" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </Sheet>
  )
}
