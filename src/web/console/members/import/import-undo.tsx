import { useState } from 'react'
import { undoImport, type AccountUse, type ImportReport } from '#contract/console/import.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Link } from '#web/ui/link.tsx'
import { Card } from '#web/ui/card.tsx'

const BECAUSE: Record<AccountUse, string> = {
  'logged-in': 'chose a password',
  paid: 'paid or started a payment',
  'gave-credentials': 'submitted credentials',
  merged: 'was merged with another account',
  changed: 'was changed after the import',
}
const accounts = (count: number) => (count === 1 ? '1 account' : `${count.toLocaleString('en-US')} accounts`)

/** Undoes a finished import after showing and confirming what that removes. */
export function ImportUndo({ report, onChanged }: { report: ImportReport; onChanged(report: ImportReport): void }) {
  const { id, counts, undo, undoBegunAt, undoneAt, undoneBy } = report
  const action = useAction()
  const [isAsking, setAsking] = useState(false)
  if (!undo || counts.new === 0) return null
  const isUndoing = undoBegunAt !== null && undoneAt === null

  function confirm() {
    setAsking(false)
    void action.run('undo', async () => onChanged(await callAsOfficer(undoImport, { params: { id }, body: {} })))
  }

  return (
    <Card title="Undo this import">
      <ActionMessages action={action} />
      {undoneAt && (
        <p>
          {undoneBy} undid it on {formatMoment(undoneAt)}.{' '}
          {undo.keeps > 0 && `${accounts(undo.keeps)} stayed because they had been used or changed.`}
        </p>
      )}
      {isUndoing && <p role="status">Undoing: {accounts(undo.removes)} left. You can leave this page.</p>}
      {undoBegunAt === null && (
        <>
          <p>
            {undo.removes === 0
              ? 'This import can’t be undone: every account has been used or changed since.'
              : `Removes ${accounts(undo.removes)} that this import created and no one has used since.`}{' '}
            {undo.removes > 0 && undo.keeps > 0 && `${accounts(undo.keeps)} will stay.`}
          </p>
          {undo.removes > 0 && (
            <Button
              variant="line"
              busy={action.busy !== null}
              busyLabel="Starting"
              onClick={() => setAsking(true)}
            >{`Undo import, remove ${accounts(undo.removes)}`}</Button>
          )}
        </>
      )}
      {undo.kept.length > 0 && (
        <details className="more-filters">
          <summary>{undoneAt ? 'Accounts that stayed' : 'Accounts that will stay'}</summary>
          <ul>
            {undo.kept.map(({ id: accountId, name, because }) => (
              <li key={accountId}>
                <Link to={`/console/members/${accountId}`}>{name}</Link> {BECAUSE[because]}
              </li>
            ))}
          </ul>
          {undo.keeps > undo.kept.length && <p>Showing the first {undo.kept.length}.</p>}
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
            {accounts(undo.removes)} {undo.removes === 1 ? 'is' : 'are'} removed, with{' '}
            {undo.removes === 1 ? 'its membership' : 'their memberships'}. Invitation links stop working. No emails are
            sent.
          </li>
          {undo.keeps > 0 && (
            <li>
              {accounts(undo.keeps)} {undo.keeps === 1 ? 'stays' : 'stay'} because{' '}
              {undo.keeps === 1 ? 'it has' : 'they have'} been used or changed since.
            </li>
          )}
          {counts.changed > 0 && (
            <li>
              Existing members keep the imported changes: {counts.changed.toLocaleString('en-US')}. Their history shows
              the earlier values.
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
    </Card>
  )
}
