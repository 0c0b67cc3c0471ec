import type { AppContext } from '#server/app-context.ts'
import { MEMBER_COLUMNS } from '#contract/console/import.ts'
import {
  MEMBERS_PER_PAGE,
  type exportMembers,
  type ListedMember,
  type listMembers,
  type MemberListQuery,
  type MemberView,
} from '#contract/console/member-list.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { writeLongCsv } from '#server/lib/csv/csv.ts'
import { mapYielding } from '#server/jobs/event-loop-yield.ts'
import { listLevels } from '#server/features/levels/level.queries.ts'
import { countMemberRows, type MemberFilter } from './member-list.queries.ts'
import { findMemberRows, type MemberListRow } from './member-list.repository.ts'
import { suggestMembers } from './member-search.repository.ts'
import { parseSearchTerms } from './member-search.rules.ts'
import { deleteView, saveView, listViews } from './member-view.repository.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'

const DAY_MS = 86_400_000

export function createMemberListService({ db, clock, timeZone, graceMs }: AppContext) {
  const moment = () => ({ now: clock.now(), graceMs: graceMs() })

  function filterOf({ q, status, level, ending, credentials, joinedFrom, joinedTo }: MemberListQuery): MemberFilter {
    return {
      searchTerms: parseSearchTerms(q ?? ''),
      state: status ?? null,
      levelKey: level ?? null,
      endsBefore: ending === undefined ? null : clock.now() + Number(ending) * DAY_MS,
      credentials: credentials ?? null,
      joinedFrom: joinedFrom === undefined ? null : startOfDay(joinedFrom, timeZone),
      joinedBefore: joinedTo === undefined ? null : startOfDay(addDays(joinedTo, 1), timeZone),
      id: null,
    }
  }

  const orderOf = ({ order = 'name', descending }: MemberListQuery) => ({ order, descending: descending === 'yes' })

  return {
    async page(by: Officer, query: QueryOf<typeof listMembers>): Promise<ReplyOf<typeof listMembers>> {
      const filter = filterOf(query)
      const offset = (Math.max(Number(query.page ?? 1), 1) - 1) * MEMBERS_PER_PAGE
      const [rows, total, levels] = await Promise.all([
        findMemberRows(db, filter, { ...moment(), ...orderOf(query), limit: MEMBERS_PER_PAGE, offset }),
        countMemberRows(db, filter, moment()),
        listLevels(db),
      ])
      const suggestions = total === 0 && query.q ? await suggestMembers(db, query.q) : []
      return {
        members: rows.map(toListed),
        total,
        suggestions: suggestions.map(({ id, firstName, lastName }) => ({ id, firstName, lastName })),
        levels: levels.map(({ key, name }) => ({ key, name })),
        mayExport: by.permissions.includes('members.change'),
      }
    },

    /** Written to the audit log, since it exports personal data. */
    async export(by: Officer, choice: QueryOf<typeof exportMembers>): Promise<ServedFile> {
      const rows = await findMemberRows(db, filterOf(choice), { ...moment(), ...orderOf(choice) })
      const now = clock.now()
      const details = { members: rows.length, choice }
      await writeAudit(db, { actor: by.accountId, action: 'members.exported', subjectId: by.accountId, details }, now)
      const heading = [...MEMBER_COLUMNS, 'status', 'credentials', 'complimentary']
      const lines = await mapYielding(rows, (row) => cellsOf(row, timeZone))
      const content = await writeLongCsv([heading, ...lines])
      return { filename: `members-${dayOf(now, timeZone)}.csv`, content }
    },

    views: ({ accountId }: Officer): Promise<MemberView[]> => listViews(db, accountId),
    async saveView({ accountId }: Officer, view: { name: string; query: string }): Promise<MemberView[]> {
      await saveView(db, { ...view, accountId }, clock.now())
      return listViews(db, accountId)
    },
    async deleteView({ accountId }: Officer, id: string): Promise<MemberView[]> {
      await deleteView(db, accountId, id)
      return listViews(db, accountId)
    },
  }
}

export type MemberListService = ReturnType<typeof createMemberListService>

function toListed({
  levelKey,
  joinedAt,
  endsAt,
  startedAt: _start,
  complimentary,
  ...row
}: MemberListRow): ListedMember {
  return {
    ...row,
    ...(complimentary !== null && { complimentary }),
    level: levelKey,
    joinedAt: new Date(joinedAt).toISOString(),
    endsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
  }
}

function cellsOf(row: MemberListRow, timeZone: string): string[] {
  const day = (instant: number | null) => (instant === null ? '' : dayOf(instant, timeZone))
  const { email, username, firstName, lastName, levelKey, startedAt, endsAt, state, credentials, complimentary } = row
  const membership = [levelKey ?? '', day(startedAt), day(endsAt), state, credentials ?? '', complimentary ?? '']
  return [email, username, firstName, lastName, ...membership]
}
