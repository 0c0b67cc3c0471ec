import { useState } from 'react'
import { useNavigate } from 'react-router'
import { confirmImport, deleteImport, type ImportReport } from '#contract/console/import.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Checkbox } from '#web/ui/field.tsx'
import { suggestedLevels } from './import-levels.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { Figure } from '#web/console/ui/figure.tsx'

const formatCount = (count: number) => count.toLocaleString('en-US')
const rowsOf = (count: number) => (count === 1 ? '1 row' : `${formatCount(count)} rows`)

/** The counts of a file, and the import of its valid rows: confirmed in a dialog, then followed until it finishes. */
export function ImportRun({ report, onChanged }: { report: ImportReport; onChanged(report: ImportReport): void }) {
  const { id, state, counts } = report
  const action = useAction()
  const navigate = useNavigate()
  const [invites, setInvites] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const total = counts.new + counts.changed
  const suggested = suggestedLevels(report)
  const params = { id }

  function confirm() {
    setAsking(false)
    void action.run('confirm', async () =>
      onChanged(await callAsOfficer(confirmImport, { params, body: { sendsInvitations: invites } })),
    )
  }

  function drop() {
    void action.run('drop', async () => {
      await callAsOfficer(deleteImport, { params })
      await navigate('/console/member-imports')
    })
  }

  return (
    <Panel title={report.undoneAt ? 'Undone' : TITLES[state]}>
      <ActionMessages action={action} />
      <dl className="console-figures">
        <Figure label="New" value={counts.new} />
        <Figure label="Changed" value={counts.changed} />
        <Figure label="No change" value={counts.unchanged} />
        {counts.leftOut > 0 && <Figure label="Left out" value={counts.leftOut} />}
        <Figure label="Errors" value={counts.wrong} />
      </dl>
      {state === 'checked' && total === 0 && (
        <p>
          {counts.wrong + counts.leftOut === 0
            ? 'Everyone in this file is already a member with the same data. There is nothing to import.'
            : 'No row of this file can be imported.'}
        </p>
      )}
      {state === 'checked' && total > 0 && (
        <>
          <p>
            Nothing has been imported yet. {counts.wrong > 0 && `The ${rowsOf(counts.wrong)} below will be skipped. `}
            {counts.unchanged > 0 && `${rowsOf(counts.unchanged)} already match. `}
            {counts.leftOut > 0 &&
              `${rowsOf(counts.leftOut)} ${counts.leftOut === 1 ? 'is' : 'are'} left out by level.`}
          </p>
          {counts.new > 0 && (
            <Checkbox
              name="invites"
              checked={invites}
              onChange={({ target }) => setInvites(target.checked)}
              label={`Email the new ${counts.new === 1 ? 'member' : 'members'} a link to choose a password, valid for 14 days`}
            />
          )}
        </>
      )}
      {state === 'running' && <Progress report={report} />}
      {report.undoneAt && (
        <Banner tone="note">
          <p>
            {report.undoneBy} undid this import on {formatMoment(report.undoneAt)}. More about it is at the end of this
            page.
          </p>
        </Banner>
      )}
      {state === 'done' && !report.undoneAt && (
        <Banner tone={counts.wrong > 0 ? 'note' : 'good'}>
          <p>
            {rowsOf(report.progress.done)} imported.{' '}
            {report.sendsInvitations
              ? `The new ${counts.new === 1 ? 'member gets an email' : 'members get an email'} now.`
              : 'No emails were sent. New members choose a password with “Forgot your password?” on the login page.'}{' '}
            {counts.wrong === 1 && '1 row was skipped. Export it, fix it, and import that file.'}
            {counts.wrong > 1 && `${rowsOf(counts.wrong)} were skipped. Export them, fix them, and import that file.`}
          </p>
        </Banner>
      )}
      {state === 'checked' && (
        <div className="buttons">
          {total > 0 && (
            <Button busy={action.busy === 'confirm'} busyLabel="Starting" onClick={() => setAsking(true)}>
              {`Import ${rowsOf(total)}`}
            </Button>
          )}
          <Button variant="line" busy={action.busy === 'drop'} busyLabel="Discarding" onClick={drop}>
            Discard
          </Button>
        </div>
      )}
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={`Import ${rowsOf(total)}?`} width="34rem">
        <ul>
          {counts.new > 0 && <li>{newMembersText(counts.new)}</li>}
          {counts.changed > 0 && (
            <li>
              {rowsOf(counts.changed)} {counts.changed === 1 ? 'changes an existing member' : 'change existing members'}
              .
            </li>
          )}
          {counts.wrong > 0 && (
            <li>
              {rowsOf(counts.wrong)} {counts.wrong === 1 ? 'is' : 'are'} skipped.
            </li>
          )}
          {counts.leftOut > 0 && (
            <li>
              {rowsOf(counts.leftOut)} {counts.leftOut === 1 ? 'is' : 'are'} left out by level.
            </li>
          )}
          {suggested.length > 0 && <li>Levels that were only suggested: {suggested.join('; ')}.</li>}
          <li>
            {invites
              ? `${counts.new === 1 ? 'The new member gets' : `All ${formatCount(counts.new)} new members get`} an email.`
              : 'No emails are sent now. Renewal reminders go out as for every member.'}
          </li>
        </ul>
        <p className="soft">The import continues if you leave this page. Each change is recorded in the audit log.</p>
        <div className="buttons">
          <Button onClick={confirm}>Import</Button>
          <Button variant="line" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </Panel>
  )
}

function newMembersText(count: number): string {
  return count === 1
    ? '1 row becomes a new member, with an account.'
    : `${rowsOf(count)} become new members, each with an account.`
}

const TITLES = { checked: 'Review', running: 'Importing', done: 'Result' }

function Progress({ report: { progress } }: { report: ImportReport }) {
  const { done, total } = progress
  return (
    <div className="import-progress">
      <progress value={done} max={Math.max(total, 1)} aria-label="Rows imported" />
      <p role="status">
        {formatCount(done)} of {formatCount(total)} rows. You can leave this page.
      </p>
    </div>
  )
}
