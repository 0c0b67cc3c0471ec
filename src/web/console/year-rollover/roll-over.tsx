import { useState } from 'react'
import { beginRollOver, discardRollOver, getRollOver, type RollOverStanding } from '#contract/console-roll-over.ts'
import { writeDay } from '#contract/days.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useAction, type Action } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { RollOverAssistant } from '#web/features/roll-over/roll-over-assistant.tsx'
import { RollOverDone, RollOverScheduled } from '#web/features/roll-over/roll-over-settled.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** The assistant that moves the association's year on. */
export default function RollOverPage() {
  const loaded = useLoaded('roll-over', () => callAsOfficer(getRollOver))
  const action = useAction()
  const [isDiscarding, setDiscarding] = useState(false)
  const { value: standing, setValue } = loaded
  const current = standing?.current ?? null

  async function discard(id: string) {
    setDiscarding(false)
    await action.run(
      'discard',
      async () => setValue(await callAsOfficer(discardRollOver, { params: { id } })),
      'The plan is thrown away. Nothing of it happened.',
    )
  }

  return (
    <ConsolePage
      title="Roll-over"
      lead="Moves the year on: officers, lists, labels and roles, all at once."
      action={
        current?.state === 'draft' && (
          <Button variant="line" busy={action.busy === 'discard'} onClick={() => setDiscarding(true)}>
            Throw the plan away
          </Button>
        )
      }
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={loaded} what="the plan">
        {(found) => <Standing standing={found} action={action} onStanding={setValue} />}
      </WhenLoaded>
      <Dialog open={isDiscarding} onClose={() => setDiscarding(false)} title="Throw this plan away?" width="30rem">
        <p>What was filled in is lost. The site and everybody’s roles stay as they are.</p>
        <div className="buttons">
          <Button variant="danger" onClick={() => current && void discard(current.id)}>
            Throw it away
          </Button>
          <Button variant="line" onClick={() => setDiscarding(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </ConsolePage>
  )
}

function Standing({
  standing,
  action,
  onStanding,
}: {
  standing: RollOverStanding
  action: Action
  onStanding(standing: RollOverStanding): void
}) {
  const { current, next } = standing
  if (current?.state === 'draft')
    return <RollOverAssistant key={`${current.id} ${current.runOn}`} first={current} onStanding={onStanding} />
  if (current?.state === 'scheduled') return <RollOverScheduled rollOver={current} onStanding={onStanding} />
  return (
    <>
      {current?.state === 'done' && <RollOverDone rollOver={current} onStanding={onStanding} />}
      <Sheet title={`The next year: ${next.term}`}>
        <p>
          It begins on {writeDay(next.firstDay)}. The assistant asks who leads, what changes and who gets which role,
          shows everything that would happen, and does it when you confirm. You can stop at any time and go on later.
        </p>
        <Button
          variant={current ? 'line' : 'solid'}
          busy={action.busy === 'begin'}
          busyLabel="Beginning"
          onClick={() =>
            void action.run('begin', async () => onStanding(await callAsOfficer(beginRollOver, { body: {} })))
          }
        >
          Plan the year {next.term}
        </Button>
      </Sheet>
    </>
  )
}
