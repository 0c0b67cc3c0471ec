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
const CREDENTIALS = { waiting: 'Waiting', approved: 'Approved', declined: 'Declined' }

/** What the list is narrowed by; each change counts at once. */
export function MemberFilters({ choice, columns, levels, onChange }: MemberFiltersProps) {
  const { status, level, ending, credentials, joinedFrom, joinedTo } = choice
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
      <details className="more-filters" open={Boolean(joinedFrom ?? joinedTo)}>
        <summary>Joined, and columns</summary>
        <div className="filters">
          <Field
            label="Joined from"
            name="joinedFrom"
            type="date"
            value={joinedFrom ?? ''}
            onChange={(event) => onChange({ joinedFrom: event.target.value })}
          />
          <Field
            label="Joined until"
            name="joinedTo"
            type="date"
            value={joinedTo ?? ''}
            onChange={(event) => onChange({ joinedTo: event.target.value })}
          />
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

function Choice({
  label,
  name,
  value,
  options,
  onChange,
}: {
  label: string
  name: string
  value: string | undefined
  options: Record<string, string>
  onChange(change: Record<string, string | null>): void
}) {
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
