import type { ReactNode } from 'react'
import type { ListedMember, MemberListQuery, MemberSort } from '#contract/console/member-list.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'
import { COLUMNS, type Column } from './member-list-params.rules.ts'
import { MemberStateBadge } from './member/member-state.tsx'

/** The sort order of each sortable column. */
const ORDERS: Partial<Record<Column | 'name', MemberSort>> = {
  name: 'name',
  level: 'level',
  ends: 'ends',
  joined: 'joined',
}

interface MemberTableProps {
  members: readonly ListedMember[]
  columns: readonly Column[]
  levels: readonly { key: string; name: string }[]
  choice: MemberListQuery
  onChange(change: Record<string, string | null>): void
}

/** One row per member; on a phone, one card per member with labeled values. */
export function MemberTable({ members, columns, levels, choice, onChange }: MemberTableProps) {
  const names = new Map(levels.map(({ key, name }) => [key, name]))
  const heading = { choice, onChange }
  return (
    <table className="console-table as-list">
      <thead>
        <tr>
          <Heading column="name" label="Name" {...heading} />
          {columns.map((column) => (
            <Heading key={column} column={column} label={COLUMNS[column]} {...heading} />
          ))}
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.id}>
            <th scope="row">
              <Link to={`/console/members/${member.id}`}>
                {member.lastName}, {member.firstName}
              </Link>
            </th>
            {columns.map((column) => (
              <td key={column} data-label={COLUMNS[column]}>
                {cellOf(member, column, names)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Heading({
  column,
  label,
  choice: { order = 'name', descending },
  onChange,
}: {
  column: Column | 'name'
  label: string
  choice: MemberListQuery
  onChange: MemberTableProps['onChange']
}) {
  const sorts = ORDERS[column]
  if (!sorts) return <th scope="col">{label}</th>
  const isSorted = order === sorts
  const isDescending = isSorted && descending === 'yes'
  return (
    <th scope="col" aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}>
      <button
        type="button"
        className="sort"
        onClick={() => onChange({ order: sorts, descending: isSorted && !isDescending ? 'yes' : null })}
      >
        {label}
      </button>
    </th>
  )
}

function cellOf(member: ListedMember, column: Column, levels: ReadonlyMap<string, string>): ReactNode {
  const { level, credentials, endsAt, joinedAt } = member
  switch (column) {
    case 'email':
    case 'username':
      return member[column]
    case 'level':
      return level ? (levels.get(level) ?? level) : '–'
    case 'state':
      return (
        <span>
          <MemberStateBadge state={member.state} /> {member.complimentary && <Badge tone="quiet">Complimentary</Badge>}
        </span>
      )
    case 'ends':
      return endsAt ? formatLongDate(endsAt) : level ? 'For life' : '–'
    case 'joined':
      return formatLongDate(joinedAt)
    case 'credentials':
      return credentials ? `${credentials[0]?.toUpperCase()}${credentials.slice(1)}` : '–'
  }
}
