import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import { applyRollOver, type RollOverStatus } from '#contract/console/roll-over.ts'
import { formatDay } from '#contract/dates/days.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Card } from '#web/ui/card.tsx'
import { stepName } from './plan.rules.ts'
import { RollOverSummary } from './roll-over-summary.tsx'
import type { RollOverEditor } from './use-roll-over.ts'

/** All changes, and their confirmation. */
export function OverviewStep({
  editor: { rollOver, saveStatus: keeping, flush, change },
  onDone,
}: {
  editor: RollOverEditor
  onDone(status: RollOverStatus): void
}) {
  const { id, version, term, firstDay, isAhead, obstacles } = rollOver
  const action = useAction()
  const [asking, setAsking] = useState<'now' | 'firstDay' | null>(null)
  const isReady = obstacles.length === 0 && keeping === 'kept'

  async function confirm(when: 'now' | 'firstDay') {
    setAsking(null)
    if (!(await flush())) return
    await action.run(when, async () => {
      onDone(await callAsOfficer(applyRollOver, { params: { id }, body: { version, when } }))
    })
  }

  return (
    <>
      {obstacles.length > 0 && (
        <Banner tone="warn" title="Resolve these first">
          <ul>
            {obstacles.map(({ step, sentence, asksAbout }) => (
              <li key={`${step} ${sentence}`}>
                {sentence} <Link to={`/console/roll-over?step=${step}`}>{stepName(step, rollOver.present)}</Link>{' '}
                {asksAbout !== undefined && (
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`“${asksAbout}” is the full name`}
                    onClick={() => change((plan) => ({ ...plan, wholeNames: [...(plan.wholeNames ?? []), asksAbout] }))}
                  >
                    This is the full name
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <RollOverSummary rollOver={rollOver} />
      <Card title={`Start the ${term} term`}>
        <ActionMessages action={action} />
        <p>
          All changes are applied together. You can undo them all within seven days; later, restore each record from its
          versions.
        </p>
        <div className="buttons">
          {isAhead && (
            <Button
              disabled={!isReady}
              busy={action.busy === 'firstDay'}
              busyLabel="Scheduling"
              onClick={() => setAsking('firstDay')}
            >
              Schedule for {formatDay(firstDay)}
            </Button>
          )}
          <Button
            variant={isAhead ? 'line' : 'solid'}
            disabled={!isReady}
            busy={action.busy === 'now'}
            busyLabel="Starting"
            onClick={() => setAsking('now')}
          >
            Start now
          </Button>
        </div>
        {obstacles.length > 0 && <p className="small soft">Available once the issues above are resolved.</p>}
      </Card>
      <Dialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'now' ? `Start the ${term} term now?` : `Start the ${term} term on ${formatDay(firstDay)}?`}
        width="32rem"
      >
        <p>
          {asking === 'now'
            ? 'The new officers appear on the site immediately, and everyone with a new role is emailed. Roles start and end on their dates.'
            : 'It starts automatically just after midnight, with the content at that time. You can unschedule it until then.'}
        </p>
        <div className="buttons">
          <Button onClick={() => asking && void confirm(asking)}>{asking === 'now' ? 'Start term' : 'Schedule'}</Button>
          <Button variant="line" onClick={() => setAsking(null)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  )
}
