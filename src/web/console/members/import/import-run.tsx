import { useState } from 'react'
import { useNavigate } from 'react-router'
import { confirmImport, dropImport, type ImportReport } from '#contract/console-import.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const words = (count: number) => count.toLocaleString('en-US')
const rowsOf = (count: number) => (count === 1 ? '1 row' : `${words(count)} rows`)

/** The counts of a file, and importing what is right in it: asked for once more, then followed to its end. */
export function ImportRun({ report, onChanged }: { report: ImportReport; onChanged(report: ImportReport): void }) {
  const { id, state, counts } = report
  const action = useAction()
  const navigate = useNavigate()
  const [invites, setInvites] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const total = counts.new + counts.changed
  const params = { id }

  function confirm() {
    setAsking(false)
    void action.run('confirm', async () =>
      onChanged(await callAsOfficer(confirmImport, { params, body: { sendsInvitations: invites } })),
    )
  }

  function drop() {
    void action.run('drop', async () => {
      await callAsOfficer(dropImport, { params })
      await navigate('/console/member-imports')
    })
  }

  return (
    <Sheet title={TITLES[state]}>
      <ActionMessages action={action} />
      <dl className="console-figures">
        <Figure label="New" count={counts.new} />
        <Figure label="Changed" count={counts.changed} />
        <Figure label="As it is already" count={counts.unchanged} />
        <Figure label="Wrong" count={counts.wrong} />
      </dl>
      {state === 'checked' && total === 0 && (
        <p>
          {counts.wrong === 0
            ? 'Everybody in this file is here already, just as it says. There is nothing to import.'
            : 'No row of this file can be imported as it is.'}
        </p>
      )}
      {state === 'checked' && total > 0 && (
        <>
          <p>
            Nothing is imported yet. {counts.wrong > 0 && `The ${rowsOf(counts.wrong)} below would be left out. `}
            {counts.unchanged > 0 && `${rowsOf(counts.unchanged)} would change nothing.`}
          </p>
          {counts.new > 0 && (
            <Checkbox
              name="invites"
              checked={invites}
              onChange={({ target }) => setInvites(target.checked)}
              label={`Write to the new ${counts.new === 1 ? 'member' : 'members'}: a letter with a link to choose a password, good for 14 days`}
            />
          )}
        </>
      )}
      {state === 'running' && <Progress report={report} />}
      {state === 'done' && (
        <Banner tone={counts.wrong > 0 ? 'note' : 'good'}>
          <p>
            {rowsOf(report.progress.done)} imported.{' '}
            {report.sendsInvitations
              ? `The new ${counts.new === 1 ? 'member gets a letter' : 'members get their letters'} now.`
              : 'No letters were sent: new members choose a password with “Forgot your password?” on the login page.'}{' '}
            {counts.wrong === 1 && '1 row was left out; save it, put it right, and import that file.'}
            {counts.wrong > 1 &&
              `${rowsOf(counts.wrong)} were left out; save them, put them right, and import that file.`}
          </p>
        </Banner>
      )}
      {state === 'checked' && (
        <div className="buttons">
          {total > 0 && (
            <Button busy={action.busy === 'confirm'} busyLabel="Beginning" onClick={() => setAsking(true)}>
              {`Import ${rowsOf(total)}`}
            </Button>
          )}
          <Button variant="line" busy={action.busy === 'drop'} busyLabel="Forgetting" onClick={drop}>
            Forget this file
          </Button>
        </div>
      )}
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={`Import ${rowsOf(total)}?`} width="34rem">
        <ul>
          {counts.new > 0 && <li>{becoming(counts.new)}</li>}
          {counts.changed > 0 && (
            <li>
              {rowsOf(counts.changed)} {counts.changed === 1 ? 'changes' : 'change'} somebody who is here already.
            </li>
          )}
          {counts.wrong > 0 && (
            <li>
              {rowsOf(counts.wrong)} {counts.wrong === 1 ? 'is' : 'are'} left out.
            </li>
          )}
          <li>
            {invites
              ? `${counts.new === 1 ? 'The new member gets' : `All ${words(counts.new)} new members get`} a letter.`
              : 'Nobody is written to now. Reminders of a term that ends go out as for every member.'}
          </li>
        </ul>
        <p className="soft">
          It goes on by itself when you leave this page. Each change is written down in the history.
        </p>
        <div className="buttons">
          <Button onClick={confirm}>Import</Button>
          <Button variant="line" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </Sheet>
  )
}

function becoming(count: number): string {
  return count === 1
    ? '1 row becomes a new member, with an account.'
    : `${rowsOf(count)} become new members, each with an account.`
}

const TITLES = { checked: 'What this file would do', running: 'Importing', done: 'What this file did' }

function Figure({ label, count }: { label: string; count: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{words(count)}</dd>
    </div>
  )
}

function Progress({ report: { progress } }: { report: ImportReport }) {
  const { done, total } = progress
  return (
    <div className="import-progress">
      <progress value={done} max={Math.max(total, 1)} aria-label="Rows imported" />
      <p role="status">
        {words(done)} of {words(total)} rows. You may leave this page; it goes on.
      </p>
    </div>
  )
}
