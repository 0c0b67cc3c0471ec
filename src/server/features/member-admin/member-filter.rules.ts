import type { CredentialState, MemberListQuery, MemberRenewal, MemberState } from '#contract/console/member-list.ts'
import { readRecordFilter } from '#contract/console/people/record-filter.ts'
import { addDays } from '#contract/dates/days.ts'
import type { StoredRecordField } from '#contract/member-record/record-fields.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import type { MemberFilter } from './member-list.queries.ts'
import { parseSearchTerms } from './member-search.rules.ts'

const DAY_MS = 86_400_000

/** The filter that a query of the list asks for. Days are days of the time zone. @param recordFields those of the member record, retired ones too */
export function memberFilter(
  { q, status, level, ending, credentials, renewal, joinedFrom, joinedTo, record }: MemberListQuery,
  { now, timeZone, recordFields }: { now: number; timeZone: string; recordFields: readonly StoredRecordField[] },
): MemberFilter {
  const number = parseNumber(q ?? '')
  return {
    searchTerms: number === null ? parseSearchTerms(q ?? '') : [],
    number,
    // The contract has checked the values.
    states: (status?.split(',') as MemberState[] | undefined) ?? null,
    levelKeys: level?.split(',') ?? null,
    endsBefore: ending === undefined ? null : now + Number(ending) * DAY_MS,
    credentials: (credentials?.split(',') as CredentialState[] | undefined) ?? null,
    renewals: (renewal?.split(',') as MemberRenewal[] | undefined) ?? null,
    joinedFrom: joinedFrom === undefined ? null : startOfDay(joinedFrom, timeZone),
    joinedBefore: joinedTo === undefined ? null : startOfDay(addDays(joinedTo, 1), timeZone),
    record: Object.entries(readRecordFilter(record ?? '')).map(([key, values]) => ({
      field: recordFields.find((field) => field.key === key && !field.isRetired) ?? null,
      values,
    })),
    ids: null,
  }
}

/** Recognizes a receipt number, and ten digits, also with spaces: the number of credentials. */
function parseNumber(text: string): MemberFilter['number'] {
  const digits = text.replaceAll(/[\s-]/g, '')
  if (/^\d{10}$/.test(digits)) return { credential: digits }
  const receipt = text.trim().toUpperCase()
  return /^R-\d{4}-\w+$/.test(receipt) ? { receipt } : null
}
