import { useState } from 'react'
import { listRollCalls, startRollCall, type RollCall } from '#contract/console/people/roll-call.ts'
import { addDays, formatDay } from '#contract/dates/days.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { LevelChoice } from '../forms/level-choice.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'

/** All roll calls, and the start of the next one. */
export default function RollCallsPage() {
  const loaded = useLoaded(listRollCalls)
  return (
    <ConsolePage
      title="Roll call"
      lead="Once a year, members are asked by email whether they are still here. One tap answers; no log-in is needed."
    >
      <WhenLoaded loaded={loaded} what="roll calls">
        {(found) => (
          <div className="stack">
            {found.mayStart && !found.calls.some(({ isOpen }) => isOpen) && (
              <StartForm found={found} onStarted={loaded.reload} />
            )}
            <Card title="Roll calls">
              {found.calls.length === 0 && <p>None yet.</p>}
              <ul className="records">
                {found.calls.map((call) => (
                  <Line key={call.id} call={call} />
                ))}
              </ul>
            </Card>
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Line({ call: { id, beganAt, closesOn, isOpen, levels, counts } }: { call: RollCall }) {
  return (
    <li>
      <div>
        <p>
          <Link to={`/console/roll-calls/${id}`}>{formatLongDate(beganAt)}</Link>{' '}
          <Badge tone={isOpen ? 'ok' : 'quiet'}>{isOpen ? `Open until ${formatDay(closesOn)}` : 'Over'}</Badge>
        </p>
        <p className="small soft">
          {levels.join(', ')}: {counts.asked.toLocaleString('en-US')} asked, {counts.reached.toLocaleString('en-US')}{' '}
          reached, {counts.silent.toLocaleString('en-US')} silent
        </p>
      </div>
    </li>
  )
}

const DEFAULT_DAYS = 30

function StartForm({ found, onStarted }: { found: ReplyOf<typeof listRollCalls>; onStarted(): void }) {
  const action = useAction()
  const [levels, setLevels] = useState(() => found.levels.filter(({ isLifetime }) => isLifetime).map(({ key }) => key))
  const [closesOn, setClosesOn] = useState(() => addDays(found.today, DEFAULT_DAYS))

  async function start() {
    const isStarted = await action.run(
      'start',
      () => saveAsOfficer(startRollCall, { body: { levels, closesOn } }),
      'Started. The emails are on their way.',
    )
    if (isStarted) onStarted()
  }

  return (
    <Card title="Start a roll call">
      <form
        className="flow"
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <ActionMessages action={action} />
        <LevelChoice legend="Who is asked" levels={found.levels} chosen={levels} onChange={setLevels} />
        <Field
          label="Last day for answers"
          name="closesOn"
          type="date"
          value={closesOn}
          min={found.today}
          onChange={({ currentTarget }) => setClosesOn(currentTarget.value)}
        />
        <p className="small soft">
          Active members of these levels get one email each. Those whom no email reaches are on the list, to be called
          or written to.
        </p>
        <Button type="submit" disabled={levels.length === 0} busy={action.busy === 'start'} busyLabel="Starting">
          Start the roll call
        </Button>
      </form>
    </Card>
  )
}
