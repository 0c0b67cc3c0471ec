import { useEffect, useRef, useState } from 'react'
import { MEMBER_STATE_NAMES, MEMBER_STATES, type MemberChoice } from '#contract/console-members.ts'
import { Field, FieldBox } from '#web/ui/field.tsx'
import { COLUMNS, type Column } from './member-choice.rules.ts'

interface MemberFiltersProps {
  choice: MemberChoice
  columns: readonly Column[]
  levels: readonly { key: string; name: string }[]
  onChange(change: Record<string, string | null>): void
}

const ENDING = { '30': 'within 30 days', '45': 'within 45 days', '90': 'within 90 days', '365': 'within a year' }
const EARLIEST = '1900-01-01'
/** Without it a year has six digits. */
const LATEST = '9999-12-31'
const CREDENTIALS = { waiting: 'Waiting', approved: 'Approved', declined: 'Declined' }

/** What the list is narrowed by; each change counts at once. */
export function MemberFilters({ choice, columns, levels, onChange }: MemberFiltersProps) {
  const { status, level, ending, credentials, joinedFrom, joinedTo } = choice
  const more = useRef<HTMLDetailsElement | null>(null)
  useEffect(() => {
    if ((joinedFrom ?? joinedTo) && more.current) more.current.open = true
  }, [joinedFrom, joinedTo])

  const ended = ending && !(ending in ENDING) ? { [ending]: `within ${ending} days` } : {}
  return (
    <>
      <div className="filters">
        <Choice
          label="Status"
          name="status"
          value={status}
          options={Object.fromEntries(MEMBER_STATES.map((state) => [state, MEMBER_STATE_NAMES[state]]))}
          onChange={onChange}
        />
        <Choice
          label="Level"
          name="level"
          value={level}
          options={Object.fromEntries(levels.map(({ key, name }) => [key, name]))}
          onChange={onChange}
        />
        <Choice
          label="Renews or ends"
          name="ending"
          value={ending}
          options={{ ...ENDING, ...ended }}
          onChange={onChange}
        />
        <Choice label="Credentials" name="credentials" value={credentials} options={CREDENTIALS} onChange={onChange} />
      </div>
      <details className="more-filters" ref={more}>
        <summary>Joined, and columns</summary>
        <div className="filters">
          <DayChoice label="Joined from" name="joinedFrom" value={joinedFrom} onChange={onChange} />
          <DayChoice label="Joined until" name="joinedTo" value={joinedTo} onChange={onChange} />
        </div>
        <fieldset className="columns">
          <legend>Columns</legend>
          {(Object.keys(COLUMNS) as Column[]).map((column) => (
            <label key={column}>
              <input
                type="checkbox"
                checked={columns.includes(column)}
                onChange={(event) => {
                  const rest = columns.filter((one) => one !== column)
                  onChange({ columns: (event.target.checked ? [...rest, column] : rest).join(',') || 'name' })
                }}
              />
              {COLUMNS[column]}
            </label>
          ))}
        </fieldset>
      </details>
    </>
  )
}

interface ChoiceProps {
  label: string
  name: string
  value: string | undefined
  onChange(change: Record<string, string | null>): void
}

/** Whoever types a year goes through the years 2, 20 and 202: they stand in the field, and the list waits for a real one. */
function DayChoice({ label, name, value = '', onChange }: ChoiceProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])

  function hear({ value: day, validity }: HTMLInputElement) {
    setTyped(day)
    const isComplete = day === '' ? !validity.badInput : day >= EARLIEST
    if (isComplete) onChange({ [name]: day })
  }

  return (
    <Field label={label} name={name} type="date" max={LATEST} value={typed} onChange={(event) => hear(event.target)} />
  )
}

function Choice({ label, name, value, options, onChange }: ChoiceProps & { options: Record<string, string> }) {
  const id = `filter-${name}`
  return (
    <FieldBox id={id} label={label}>
      <select
        className="input"
        id={id}
        value={value ?? ''}
        onChange={(event) => onChange({ [name]: event.target.value })}
      >
        <option value="">Any</option>
        {Object.entries(options).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </FieldBox>
  )
}
