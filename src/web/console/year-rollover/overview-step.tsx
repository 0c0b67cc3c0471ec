import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import { confirmRollOver, type RollOverStanding } from '#contract/console-roll-over.ts'
import { writeDay } from '#contract/days.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { STEP_NAMES } from './plan.rules.ts'
import { RollOverSummary } from './roll-over-summary.tsx'
import type { RollOverEditor } from './use-roll-over.ts'

/** Everything that will happen, and the one confirmation. */
export function OverviewStep({
  editor: { rollOver, keeping, flush, change },
  onDone,
}: {
  editor: RollOverEditor
  onDone(standing: RollOverStanding): void
}) {
  const { id, version, term, firstDay, isAhead, obstacles } = rollOver
  const action = useAction()
  const [asking, setAsking] = useState<'now' | 'firstDay' | null>(null)
  const isReady = obstacles.length === 0 && keeping === 'kept'

  async function confirm(when: 'now' | 'firstDay') {
    setAsking(null)
    if (!(await flush())) return
    await action.run(when, async () => {
      onDone(await callAsOfficer(confirmRollOver, { params: { id }, body: { version, when } }))
    })
  }

  return (
    <>
      {obstacles.length > 0 && (
        <Banner tone="warn" title="Before the year can be moved on">
          <ul>
            {obstacles.map(({ step, sentence, asksAbout }) => (
              <li key={`${step} ${sentence}`}>
                {sentence} <Link to={`/console/roll-over?step=${step}`}>{STEP_NAMES[step]}</Link>{' '}
                {asksAbout !== undefined && (
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`“${asksAbout}” is the whole name`}
                    onClick={() => change((plan) => ({ ...plan, wholeNames: [...(plan.wholeNames ?? []), asksAbout] }))}
                  >
                    It is the whole name
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <RollOverSummary rollOver={rollOver} />
      <Sheet title={`Move on to ${term}`}>
        <ActionMessages action={action} />
        <p>
          All of it happens together, or nothing does. Within seven days the whole can be undone, and later each record
          can be brought back from its versions.
        </p>
        <div className="buttons">
          {isAhead && (
            <Button
              disabled={!isReady}
              busy={action.busy === 'firstDay'}
              busyLabel="Scheduling"
              onClick={() => setAsking('firstDay')}
            >
              By itself on {writeDay(firstDay)}
            </Button>
          )}
          <Button
            variant={isAhead ? 'line' : 'solid'}
            disabled={!isReady}
            busy={action.busy === 'now'}
            busyLabel="Moving the year on"
            onClick={() => setAsking('now')}
          >
            Do it now
          </Button>
        </div>
        {obstacles.length > 0 && <p className="small soft">This opens when nothing stands in the way any more.</p>}
      </Sheet>
      <Dialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'now' ? `Move on to ${term} now?` : `Move on to ${term} on ${writeDay(firstDay)}?`}
        width="32rem"
      >
        <p>
          {asking === 'now'
            ? 'Visitors see the new officers within a second, and letters go out to whoever gets a role. Roles open and close on their days.'
            : 'It happens by itself just after midnight, with what the site says then. Until then you can take it back.'}
        </p>
        <div className="buttons">
          <Button onClick={() => asking && void confirm(asking)}>
            {asking === 'now' ? 'Yes, move the year on' : 'Yes, schedule it'}
          </Button>
          <Button variant="line" onClick={() => setAsking(null)}>
            Not yet
          </Button>
        </div>
      </Dialog>
    </>
  )
}
