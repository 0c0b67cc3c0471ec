import { useState } from 'react'
import { createRollOver, discardRollOver, getRollOver, type RollOverStatus } from '#contract/console/roll-over.ts'
import { formatDay } from '#contract/dates/days.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction, type Action } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { RollOverAssistant } from './roll-over-assistant.tsx'
import { RollOverDone, RollOverScheduled } from './roll-over-status.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Card } from '#web/ui/card.tsx'

/** The assistant for the roll-over to a new term. */
export default function RollOverPage() {
  const loaded = useLoaded(getRollOver)
  const action = useAction()
  const [isDiscarding, setDiscarding] = useState(false)
  const { value: state, setValue } = loaded
  const current = state?.current ?? null

  async function discard(id: string) {
    setDiscarding(false)
    await action.run(
      'discard',
      async () => setValue(await callAsOfficer(discardRollOver, { params: { id } })),
      'Plan discarded. Nothing was changed.',
    )
  }

  return (
    <ConsolePage
      title="New term"
      lead="Update officers, lists, labels and roles for the new term, all at once."
      action={
        current?.state === 'draft' && (
          <Button variant="line" busy={action.busy === 'discard'} onClick={() => setDiscarding(true)}>
            Discard plan
          </Button>
        )
      }
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={loaded} what="the plan">
        {(found) => <CurrentStep status={found} action={action} onStatus={setValue} />}
      </WhenLoaded>
      <Dialog open={isDiscarding} onClose={() => setDiscarding(false)} title="Discard this plan?" width="30rem">
        <p>Everything you entered is lost. The site and all roles stay as they are.</p>
        <div className="buttons">
          <Button variant="danger" onClick={() => current && void discard(current.id)}>
            Discard
          </Button>
          <Button variant="line" onClick={() => setDiscarding(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </ConsolePage>
  )
}

function CurrentStep({
  status,
  action,
  onStatus,
}: {
  status: RollOverStatus
  action: Action
  onStatus(status: RollOverStatus): void
}) {
  const { current, next } = status
  if (current?.state === 'draft')
    return <RollOverAssistant key={`${current.id} ${current.runOn}`} first={current} onStatus={onStatus} />
  if (current?.state === 'scheduled') return <RollOverScheduled rollOver={current} onStatus={onStatus} />
  return (
    <>
      {current?.state === 'done' && <RollOverDone rollOver={current} onStatus={onStatus} />}
      <Card title={`Next term: ${next.term}`}>
        <p>
          It starts on {formatDay(next.firstDay)}. The assistant asks for the new officers, lists and roles, shows every
          change, and applies them when you confirm. You can stop and continue at any time.
        </p>
        <Button
          variant={current ? 'line' : 'solid'}
          busy={action.busy === 'begin'}
          busyLabel="Starting"
          onClick={() =>
            void action.run('begin', async () => onStatus(await callAsOfficer(createRollOver, { body: {} })))
          }
        >
          Set up the {next.term} term
        </Button>
      </Card>
    </>
  )
}
