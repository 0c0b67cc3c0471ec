import type { AppContext } from '#server/app-context.ts'
import {
  memberListQuery,
  MEMBERS_PER_PAGE,
  USUAL_MEMBER_VIEWS,
  type countMembers,
  type exportMembers,
  type exportSelectedMembers,
  type ListedMember,
  type listMembers,
  type MemberListQuery,
} from '#contract/console/member-list.ts'
import { recordColumns } from '#contract/console/people/record-columns.ts'
import { fieldsInUse } from '#contract/member-record/record-fields.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { writeLongCsv } from '#server/lib/csv/csv.ts'
import { mapYielding } from '#server/jobs/event-loop-yield.ts'
import { listLevels } from '#server/features/levels/level.queries.ts'
import type { SavedViewsService } from '#server/features/officers/saved-views/saved-views.service.ts'
import { listEntriesOf } from '#server/features/member-record/record-value.queries.ts'
import { groupMembers } from './member-counts.repository.ts'
import { countFacets, countMatching, daysToDistinguish } from './member-counts.rules.ts'
import { memberExportHeading, memberExportLine, type ExportColumn } from './member-export.service.ts'
import { memberFilter } from './member-filter.rules.ts'
import { ALL_MEMBERS, countMemberRows, type MemberFilter } from './member-list.queries.ts'
import { findMemberRows, type MemberListRow } from './member-list.repository.ts'
import { recordColumnCells } from './record-columns/record-column-cells.rules.ts'
import { suggestMembers } from './member-search.queries.ts'

/** Saved views with a search or days are counted one by one: not more than this. */
const SEARCHES_COUNTED = 10

export function createMemberListService(
  { db, clock, timeZone, graceMs, cache }: AppContext,
  { savedViews }: { savedViews: Pick<SavedViewsService, 'list'> },
) {
  const moment = () => ({ now: clock.now(), graceMs: graceMs() })
  const recordFields = () => cache.content().recordFields
  const allColumns = () => recordColumns(fieldsInUse(recordFields()))
  const filterOf = (query: MemberListQuery) =>
    memberFilter(query, { now: clock.now(), timeZone, recordFields: recordFields() })
  const orderOf = ({ order = 'name', descending }: Pick<MemberListQuery, 'order' | 'descending'>) => ({
    order,
    descending: descending === 'yes',
  })

  async function levelNames(): Promise<Map<string, string>> {
    return new Map((await listLevels(db)).map(({ key, name }) => [key, name]))
  }

  async function writeFile(
    by: Officer,
    rows: readonly MemberListRow[],
    { columns, ...choice }: { columns?: string | undefined },
  ): Promise<ServedFile> {
    const now = clock.now()
    const details = { members: rows.length, choice }
    await writeAudit(db, { actor: by.accountId, action: 'members.exported', subjectId: by.accountId, details }, now)
    const chosen = columns === undefined ? null : (columns.split(',') as ExportColumn[])
    const mayLookAtMoney = by.permissions.includes('money.look')
    const fields = allColumns()
    const isKnown = (column: ExportColumn) => !column.startsWith('field:') || fields.some(({ id }) => id === column)
    const shown = chosen?.filter((column) => (column !== 'lastPayment' || mayLookAtMoney) && isKnown(column)) ?? null
    const levels = await levelNames()
    const isRecorded = shown === null ? fields.length > 0 : shown.some((column) => column.startsWith('field:'))
    const records = await listEntriesOf(db, isRecorded ? rows.map(({ id }) => id) : [])
    const lines = await mapYielding(rows, (row) =>
      memberExportLine(row, shown, { levels, timeZone, fields, entries: records.get(row.id) ?? [] }),
    )
    const content = await writeLongCsv([memberExportHeading(shown, fields), ...lines])
    return { filename: `members-${dayOf(now, timeZone)}.csv`, content }
  }

  return {
    async page(by: Officer, query: QueryOf<typeof listMembers>): Promise<ReplyOf<typeof listMembers>> {
      const filter = filterOf(query)
      const limit = Number(query.size ?? MEMBERS_PER_PAGE)
      const offset = (Math.max(Number(query.page ?? 1), 1) - 1) * limit
      const [rows, total, levels] = await Promise.all([
        findMemberRows(db, filter, { ...moment(), ...orderOf(query), limit, offset }),
        countMemberRows(db, filter, moment()),
        listLevels(db),
      ])
      const columns = allColumns().filter(({ id }) => query.fields?.split(',').includes(id))
      const records = await listEntriesOf(db, columns.length > 0 ? rows.map(({ id }) => id) : [])
      const suggestions = total === 0 && query.q ? await suggestMembers(db, query.q) : []
      const mayLookAtMoney = by.permissions.includes('money.look')
      return {
        members: rows.map((row) => {
          const cells = recordColumnCells(columns, { entries: records.get(row.id) ?? [], level: row.levelKey })
          return { ...toListed(row, mayLookAtMoney), ...(columns.length > 0 && { record: cells }) }
        }),
        total,
        suggestions: suggestions.map(({ id, firstName, lastName }) => ({ id, firstName, lastName })),
        levels: levels.map(({ key, name }) => ({ key, name })),
        fields: fieldsInUse(recordFields()),
        mayExport: by.permissions.includes('members.change'),
        mayLookAtMoney,
      }
    },

    async counts(by: Officer, query: QueryOf<typeof countMembers>): Promise<ReplyOf<typeof countMembers>> {
      const views = (await savedViews.list(by, 'members')).map((view) => view.query)
      const queries = [...USUAL_MEMBER_VIEWS.map((view) => view.query), ...views]
      const parsed = [...new Set(queries)].flatMap((text) => {
        const { success, data } = memberListQuery.safeParse(Object.fromEntries(new URLSearchParams(text)))
        return success ? [{ text, choice: data }] : []
      })
      const days = daysToDistinguish([query, ...parsed.map(({ choice }) => choice)])
      const all = await groupMembers(db, ALL_MEMBERS, { ...moment(), days })
      const groups = hasSearch(query)
        ? await groupMembers(db, filterOf(withoutFacets(query)), { ...moment(), days })
        : all
      const counted: Record<string, number> = {}
      let searches = 0
      for (const { text, choice } of parsed) {
        if (!hasSearch(choice)) counted[text] = countMatching(all, choice)
        else if (searches++ < SEARCHES_COUNTED) counted[text] = await countMemberRows(db, filterOf(choice), moment())
      }
      return { ...countFacets(groups, query), views: counted }
    },

    /** The first members, by name, whose name, address or username contains every word of the text. */
    async search(text: string, limit: number): Promise<MemberListRow[]> {
      return findMemberRows(db, filterOf({ q: text }), { ...moment(), ...orderOf({}), limit })
    },

    /** Members with names like a text that matches no one. */
    suggest: (text: string) => suggestMembers(db, text),

    /** Written to the audit log, since it exports personal data. */
    async export(by: Officer, choice: QueryOf<typeof exportMembers>): Promise<ServedFile> {
      return writeFile(by, await findMemberRows(db, filterOf(choice), { ...moment(), ...orderOf(choice) }), choice)
    },

    /** Written to the audit log, too. */
    async exportSelected(
      by: Officer,
      { ids, columns, ...order }: BodyOf<typeof exportSelectedMembers>,
    ): Promise<ServedFile> {
      const filter: MemberFilter = { ...ALL_MEMBERS, ids }
      return writeFile(by, await findMemberRows(db, filter, { ...moment(), ...orderOf(order) }), { columns })
    },
  }
}

export type MemberListService = ReturnType<typeof createMemberListService>

/** Whether a query filters by more than groups distinguish. */
function hasSearch(query: MemberListQuery): boolean {
  return Object.values(withoutFacets(query)).some((value) => value !== undefined)
}

function withoutFacets({ q, joinedFrom, joinedTo, record }: MemberListQuery): MemberListQuery {
  return { q, joinedFrom, joinedTo, record }
}

function toListed(
  { levelKey, joinedAt, startedAt, endsAt, complimentary, lastPayment, ...row }: MemberListRow,
  mayLookAtMoney: boolean,
): ListedMember {
  const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString())
  return {
    ...row,
    ...(complimentary !== null && { complimentary }),
    level: levelKey,
    joinedAt: new Date(joinedAt).toISOString(),
    startedAt: iso(startedAt),
    endsAt: iso(endsAt),
    lastPayment:
      lastPayment === null || !mayLookAtMoney ? null : { ...lastPayment, at: new Date(lastPayment.at).toISOString() },
  }
}
