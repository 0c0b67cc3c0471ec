import { useEffect, useRef } from 'react'
import { MEMBER_STATE_NAMES, MEMBER_STATES, type MemberListQuery } from '#contract/console/member-list.ts'
import { DayFilter, SelectFilter } from '../forms/filter-fields.tsx'
import { COLUMNS, type Column } from './member-list-params.rules.ts'

interface MemberFiltersProps {
  choice: MemberListQuery
  columns: readonly Column[]
  levels: readonly { key: string; name: string }[]
  onChange(change: Record<string, string | null>): void
}

const ENDING = { '30': 'within 30 days', '45': 'within 45 days', '90': 'within 90 days', '365': 'within a year' }
const CREDENTIALS = { waiting: 'Waiting', approved: 'Approved', declined: 'Declined' }

/** The filters of the list, applied immediately. */
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
        <SelectFilter
          label="Status"
          name="status"
          value={status}
          options={Object.fromEntries(MEMBER_STATES.map((state) => [state, MEMBER_STATE_NAMES[state]]))}
          onChange={onChange}
        />
        <SelectFilter
          label="Level"
          name="level"
          value={level}
          options={Object.fromEntries(levels.map(({ key, name }) => [key, name]))}
          onChange={onChange}
        />
        <SelectFilter
          label="Renews or ends"
          name="ending"
          value={ending}
          options={{ ...ENDING, ...ended }}
          onChange={onChange}
        />
        <SelectFilter
          label="Credentials"
          name="credentials"
          value={credentials}
          options={CREDENTIALS}
          onChange={onChange}
        />
      </div>
      <details className="more-filters" ref={more}>
        <summary>More filters</summary>
        <div className="filters">
          <DayFilter label="Joined from" name="joinedFrom" value={joinedFrom} onChange={onChange} />
          <DayFilter label="Joined to" name="joinedTo" value={joinedTo} onChange={onChange} />
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
