import { useState } from 'react'
import { holdRollOver, undoRollOver, type RollOver, type RollOverStanding } from '#contract/console-roll-over.ts'
import { formatMoment } from '#contract/dates.ts'
import { writeDay } from '#contract/days.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { RollOverSummary } from './roll-over-summary.tsx'

interface SettledProps {
  rollOver: RollOver
  onStanding(standing: RollOverStanding): void
}

/** It waits for its day, and can be taken back until then. */
export function RollOverScheduled({ rollOver, onStanding }: SettledProps) {
  const { id, runOn, savedBy, term, obstacles } = rollOver
  const action = useAction()
  return (
    <>
      <Banner tone="good" title={`The year moves on to ${term} by itself`}>
        <p>
          On {writeDay(runOn ?? '')}, just after midnight. Confirmed by {savedBy}.
        </p>
      </Banner>
      {obstacles.length > 0 && (
        <Banner tone="warn" title="As things stand it could not happen">
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
          busyLabel="Taking it back"
          onClick={() =>
            void action.run('hold', async () =>
              onStanding(await callAsOfficer(holdRollOver, { params: { id }, body: {} })),
            )
          }
        >
          Take the schedule back
        </Button>
      </div>
      <RollOverSummary rollOver={rollOver} />
    </>
  )
}

/** It was done: what happened, and for a week the way back. */
export function RollOverDone({ rollOver, onStanding }: SettledProps) {
  const { id, term, savedBy, doneAt, undo } = rollOver
  const action = useAction()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Banner tone="good" title={`The year ${term} has been begun`}>
        <p>
          {doneAt && formatMoment(doneAt)}, confirmed by {savedBy}.
        </p>
      </Banner>
      <RollOverSummary rollOver={rollOver} />
      {undo && (
        <Sheet title="Undo the whole">
          <ActionMessages action={action} />
          {undo.changed.length > 0 ? (
            <>
              <p>It can no longer be undone as a whole, since this was changed afterwards:</p>
              <ul>
                {undo.changed.map((one) => (
                  <li key={one}>{one}</li>
                ))}
              </ul>
              <p>
                Each record can still be brought back from its versions, and roles be given and ended under Officers.
              </p>
            </>
          ) : (
            <>
              <p>
                Until {formatMoment(undo.until)} everything can be put back as it was: what visitors see, and who holds
                which role. Letters that went out stay out.
              </p>
              <Button
                variant="danger"
                disabled={!undo.isPossible}
                busy={action.busy === 'undo'}
                busyLabel="Undoing"
                onClick={() => setAsking(true)}
              >
                Undo the whole
              </Button>
            </>
          )}
        </Sheet>
      )}
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={`Undo the move to ${term}?`} width="32rem">
        <p>
          Visitors see the former officers again within a second. Roles that were given end now, also yours if it came
          with this, and former ones go on.
        </p>
        <div className="buttons">
          <Button
            variant="danger"
            onClick={() => {
              setAsking(false)
              void action.run('undo', async () =>
                onStanding(await callAsOfficer(undoRollOver, { params: { id }, body: {} })),
              )
            }}
          >
            Yes, undo it
          </Button>
          <Button variant="line" onClick={() => setAsking(false)}>
            Leave it
          </Button>
        </div>
      </Dialog>
    </>
  )
}
