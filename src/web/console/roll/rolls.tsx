import { useState } from 'react'
import { freezeRoll, listRolls, type Roll } from '#contract/console/people/roll.ts'
import { addDays, formatDay } from '#contract/dates/days.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Checkbox, Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { LevelChoice } from '../forms/level-choice.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'

/** All rolls, and the next one. */
export default function RollsPage() {
  const loaded = useLoaded(listRolls)
  return (
    <ConsolePage
      title="Roll of members"
      lead="Who is entitled on a record day, by a stated rule: for a meeting, a ballot or a report. Members can object; then it is sealed."
    >
      <WhenLoaded loaded={loaded} what="rolls">
        {(found) => (
          <div className="stack">
            {found.mayFreeze && <FreezeForm found={found} onFrozen={loaded.reload} />}
            <Card title="Rolls">
              {found.rolls.length === 0 && <p>None yet.</p>}
              <ul className="records">
                {found.rolls.map((roll) => (
                  <Line key={roll.id} roll={roll} />
                ))}
              </ul>
            </Card>
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Line({ roll: { id, name, recordDay, people, sealed, isOpen, objections } }: { roll: Roll }) {
  return (
    <li>
      <div>
        <p>
          <Link to={`/console/rolls/${id}`}>{name}</Link>{' '}
          <Badge tone={sealed ? 'ok' : isOpen ? 'warn' : 'quiet'}>
            {sealed ? 'Sealed' : isOpen ? 'Open to objections' : 'To be sealed'}
          </Badge>
        </p>
        <p className="small soft">
          {formatDay(recordDay)}: {people.toLocaleString('en-US')} members
          {objections.open > 0 && `, ${objections.open} objections to answer`}
        </p>
      </div>
    </li>
  )
}

const OBJECTION_DAYS = 14

function FreezeForm({ found, onFrozen }: { found: ReplyOf<typeof listRolls>; onFrozen(): void }) {
  const action = useAction()
  const yesterday = addDays(found.today, -1)
  const [name, setName] = useState('')
  const [recordDay, setRecordDay] = useState(yesterday)
  const [objectionsUntil, setObjectionsUntil] = useState(() => addDays(found.today, OBJECTION_DAYS))
  const [levels, setLevels] = useState(() => found.levels.map(({ key }) => key))
  const [graceDays, setGraceDays] = useState('0')
  const [includesLost, setIncludesLost] = useState(true)

  async function freeze() {
    const rule = { levels, graceDays: Number(graceDays), includesLost }
    const isFrozen = await action.run(
      'freeze',
      () => saveAsOfficer(freezeRoll, { body: { name, recordDay, objectionsUntil, rule } }),
      'Frozen. Members on it can read it in their account.',
    )
    if (isFrozen) onFrozen()
  }

  return (
    <Card title="Freeze a roll">
      <form
        className="flow"
        onSubmit={(event) => {
          event.preventDefault()
          void freeze()
        }}
      >
        <ActionMessages action={action} />
        <Field
          label="Name"
          name="name"
          value={name}
          maxLength={100}
          autoComplete="off"
          hint="For example, “Annual meeting 2027”. Members see it."
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <div className="pair">
          <Field
            label="Record day"
            name="recordDay"
            type="date"
            value={recordDay}
            max={yesterday}
            hint="As of the end of this day, which has to be over."
            onChange={({ currentTarget }) => setRecordDay(currentTarget.value)}
          />
          <Field
            label="Last day for objections"
            name="objectionsUntil"
            type="date"
            value={objectionsUntil}
            min={found.today}
            onChange={({ currentTarget }) => setObjectionsUntil(currentTarget.value)}
          />
        </div>
        <LevelChoice legend="Levels" levels={found.levels} chosen={levels} onChange={setLevels} />
        <Field
          label="Days after the end of a term"
          name="graceDays"
          type="number"
          min={0}
          max={366}
          value={graceDays}
          hint="How long a member whose term ended stays entitled. Your bylaws say how long; often 0 or 60."
          onChange={({ currentTarget }) => setGraceDays(currentTarget.value)}
        />
        <Checkbox
          label="Include members with lost contact"
          name="includesLost"
          checked={includesLost}
          onChange={({ target }) => setIncludesLost(target.checked)}
        />
        <Button
          type="submit"
          disabled={levels.length === 0 || name.trim() === ''}
          busy={action.busy === 'freeze'}
          busyLabel="Freezing"
        >
          Freeze the roll
        </Button>
      </form>
    </Card>
  )
}
