import { useState } from 'react'
import { unscheduleRollOver, undoRollOver, type RollOver, type RollOverStatus } from '#contract/console/roll-over.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Card } from '#web/ui/card.tsx'
import { RollOverSummary } from './roll-over-summary.tsx'

interface StatusProps {
  rollOver: RollOver
  onStatus(status: RollOverStatus): void
}

/** A scheduled roll-over, which can be unscheduled. */
export function RollOverScheduled({ rollOver, onStatus }: StatusProps) {
  const { id, runOn, savedBy, term, obstacles } = rollOver
  const action = useAction()
  return (
    <>
      <Banner tone="good" title={`The ${term} term is scheduled to start`}>
        <p>
          On {formatDay(runOn ?? '')}, just after midnight. Confirmed by {savedBy}.
        </p>
      </Banner>
      {obstacles.length > 0 && (
        <Banner tone="warn" title="Resolve these before it can start">
          <ul>
            {obstacles.map(({ step, sentence }) => (
              <li key={`${step} ${sentence}`}>{sentence}</li>
            ))}
          </ul>
        </Banner>
      )}
      <ActionMessages action={action} />
      <div className="buttons">
        <Button
          variant="line"
          busy={action.busy === 'hold'}
          busyLabel="Unscheduling"
          onClick={() =>
            void action.run('hold', async () =>
              onStatus(await callAsOfficer(unscheduleRollOver, { params: { id }, body: {} })),
            )
          }
        >
          Unschedule
        </Button>
      </div>
      <RollOverSummary rollOver={rollOver} />
    </>
  )
}

/** A completed roll-over, which can be undone for a week. */
export function RollOverDone({ rollOver, onStatus }: StatusProps) {
  const { id, term, savedBy, doneAt, undo } = rollOver
  const action = useAction()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Banner tone="good" title={`The ${term} term has started`}>
        <p>
          {doneAt && formatMoment(doneAt)}, confirmed by {savedBy}.
        </p>
      </Banner>
      <RollOverSummary rollOver={rollOver} />
      {undo && (
        <Card title="Undo">
          <ActionMessages action={action} />
          {undo.changed.length > 0 ? (
            <>
              <p>It can no longer be undone, because these were changed afterwards:</p>
              <ul>
                {undo.changed.map((one) => (
                  <li key={one}>{one}</li>
                ))}
              </ul>
              <p>You can still restore each record from its versions, and change roles under Officers & roles.</p>
            </>
          ) : (
            <>
              <p>
                Until {formatMoment(undo.until)} you can restore the previous content and roles. Emails already sent
                cannot be recalled.
              </p>
              <Button
                variant="danger"
                disabled={!undo.isPossible}
                busy={action.busy === 'undo'}
                busyLabel="Undoing"
                onClick={() => setAsking(true)}
              >
                Undo
              </Button>
            </>
          )}
        </Card>
      )}
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Undo the start of the ${term} term?`}
        width="32rem"
      >
        <p>
          The site shows the former officers again. New roles end now, including yours if it was new, and former roles
          resume.
        </p>
        <div className="buttons">
          <Button
            variant="danger"
            onClick={() => {
              setAsking(false)
              void action.run('undo', async () =>
                onStatus(await callAsOfficer(undoRollOver, { params: { id }, body: {} })),
              )
            }}
          >
            Undo
          </Button>
          <Button variant="line" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  )
}
