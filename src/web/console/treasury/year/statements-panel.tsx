import { useState } from 'react'
import { getStatements, sendStatements, type StatementRun } from '#contract/console/money/year.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Panel } from '#web/console/ui/panel.tsx'

const POLL_MS = 2_000

/** Emails every member who paid in a calendar year a statement, once each; shows how far it is. */
export function StatementsPanel({ year, mayChange }: { year: number; mayChange: boolean }) {
  const params = { year: String(year) }
  const loaded = useLoaded(getStatements, { params }, ({ state }) => state === 'running' && POLL_MS)
  const [isAsking, setAsking] = useState(false)
  const [thisYear] = useState(() => Number(dayOf(Date.now()).slice(0, 4)))
  const action = useAction()
  const people = (count: number) => (count === 1 ? '1 member' : `${count.toLocaleString('en-US')} members`)

  return (
    <Panel title={`Statements for ${year}`}>
      <WhenLoaded loaded={loaded} what="the statements">
        {(run) => (
          <div className="stack">
            <p className="small soft">
              {people(run.members)} paid in {year}. Each finds the statement in the account, under receipts.
            </p>
            {run.state !== 'none' && <Progress run={run} />}
            {mayChange && run.members > run.sent + run.skipped && run.state !== 'running' && (
              <Button variant="line" onClick={() => setAsking(true)}>
                Email statements
              </Button>
            )}
            <Dialog
              open={isAsking}
              onClose={() => setAsking(false)}
              title={`Email the statements for ${year}?`}
              width="32rem"
            >
              <p>
                {people(run.members - run.sent - run.skipped)} who paid in {year} get an email with their dues, event
                seats and sponsorships as a PDF. Each gets it once.
              </p>
              {year === thisYear && (
                <Banner tone="note" title={`${year} is not over`}>
                  <p>
                    What is paid from tomorrow on will not be in the statement, and no second one is sent. Most
                    associations wait for January.
                  </p>
                </Banner>
              )}
              <div className="buttons">
                <Button
                  busy={action.busy !== null}
                  busyLabel="Sending"
                  onClick={() =>
                    void action.run('send', async () => {
                      loaded.setValue(await saveAsOfficer(sendStatements, { params, body: { members: run.members } }))
                      setAsking(false)
                    })
                  }
                >
                  Email {people(run.members - run.sent - run.skipped)}
                </Button>
                <Button variant="line" onClick={() => setAsking(false)}>
                  Cancel
                </Button>
              </div>
            </Dialog>
          </div>
        )}
      </WhenLoaded>
      <ActionMessages action={action} />
    </Panel>
  )
}

function Progress({ run }: { run: StatementRun }) {
  const { members, sent, skipped, state, startedAt, startedBy } = run
  return (
    <div role="status">
      {state === 'running' && (
        <progress className="progress-line" max={members} value={sent + skipped} aria-label="Statements sent" />
      )}
      <p>
        {sent.toLocaleString('en-US')} sent{skipped > 0 && `, ${skipped} skipped: the account is closed`}.{' '}
        <span className="small soft">
          {startedBy}, {startedAt && formatLongDate(startedAt)}
          {state === 'running' && '. You can leave this page.'}
        </span>
      </p>
    </div>
  )
}
