import { tableDay } from '#web/console/treasury/ledger-format.ts'
import type { ReactNode } from 'react'
import {
  CREDENTIAL_STATE_NAMES,
  MEMBER_LIST_COLUMN_NAMES,
  MEMBER_LIST_COLUMNS,
  MEMBER_RENEWAL_NAMES,
  type ListedMember,
  type MemberListColumn,
} from '#contract/console/member-list.ts'
import { recordColumns } from '#contract/console/people/record-columns.ts'
import type { RecordField } from '#contract/member-record/record-fields.ts'
import { formatMoney } from '#contract/money.ts'
import type { Column } from '#web/console/list/data-table.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { MemberStateBadge } from '../member/member-state.tsx'

/** The columns shown until an officer chooses. */
export const FIRST_COLUMNS: MemberListColumn[] = [
  'email',
  'status',
  'level',
  'ends',
  'credentials',
  'renewal',
  'joined',
]

const PRIORITIES: Partial<Record<MemberListColumn, 2 | 3>> = {
  email: 3,
  credentials: 2,
  renewal: 3,
  joined: 3,
  lastPayment: 2,
  username: 3,
  started: 3,
  complimentary: 3,
}

/** The columns of the list, in table order: those of the account, then those of the member record. */
export function memberColumns(
  levels: ReadonlyMap<string, string>,
  { mayLookAtMoney, fields }: { mayLookAtMoney: boolean; fields: readonly RecordField[] },
): Column<ListedMember>[] {
  const ofAccount = MEMBER_LIST_COLUMNS.filter((key) => key !== 'lastPayment' || mayLookAtMoney).map((key) => ({
    key,
    label: MEMBER_LIST_COLUMN_NAMES[key],
    isSortable: key !== 'complimentary',
    ...(PRIORITIES[key] && { priority: PRIORITIES[key] }),
    ...(key === 'status' && { staysFolded: true }),
    cell: (member: ListedMember) => cellOf(member, key, levels),
  }))
  const ofRecord = recordColumns(fields).map(({ id, name }) => ({
    key: id,
    label: name,
    priority: 3 as const,
    cell: ({ record }: ListedMember) => (record?.[id] ? <Clipped text={record[id]} /> : '–'),
  }))
  return [...ofAccount, ...ofRecord]
}

function cellOf(member: ListedMember, column: MemberListColumn, levels: ReadonlyMap<string, string>): ReactNode {
  switch (column) {
    case 'email':
    case 'username':
      return <Clipped text={member[column]} />
    case 'status':
      return <MemberStateBadge state={member.state} />
    case 'level':
      return levelOf(member, levels)
    case 'ends':
      return endText(member)
    case 'credentials':
      return <Credentials state={member.credentials} />
    case 'renewal':
      return member.renewal ? MEMBER_RENEWAL_NAMES[member.renewal] : '–'
    case 'joined':
      return tableDay(member.joinedAt)
    case 'lastPayment':
      return member.lastPayment
        ? `${tableDay(member.lastPayment.at)}, ${formatMoney(member.lastPayment.amount, member.lastPayment.currency)}`
        : '–'
    case 'started':
      return member.startedAt ? tableDay(member.startedAt) : '–'
    case 'complimentary':
      return member.complimentary ? <Clipped text={member.complimentary} /> : '–'
  }
}

function Clipped({ text }: { text: string }) {
  return (
    <span className="clip" title={text}>
      {text}
    </span>
  )
}

function Credentials({ state }: { state: ListedMember['credentials'] }) {
  if (state === 'waiting') return <Badge tone="warn">{CREDENTIAL_STATE_NAMES.waiting}</Badge>
  if (state === 'declined') return <Badge tone="bad">{CREDENTIAL_STATE_NAMES.declined}</Badge>
  return <span className={state ? undefined : 'soft'}>{CREDENTIAL_STATE_NAMES[state ?? 'none']}</span>
}

export function levelOf({ level }: ListedMember, levels: ReadonlyMap<string, string>): string {
  return level ? (levels.get(level) ?? level) : '–'
}

export function endText({ endsAt, level, state, renewal }: ListedMember): string {
  if (state === 'LEFT') return '–'
  if (endsAt === null) return level ? 'For life' : '–'
  if (state === 'EXPIRED' || state === 'CANCELED') return `Ended ${tableDay(endsAt)}`
  return renewal === 'ends' ? `Ends ${tableDay(endsAt)}` : tableDay(endsAt)
}
