import type { AppContext } from '#server/app-context.ts'
import { IMPORT_MAX_ROWS, type ImportColumn } from '#contract/console/import.ts'
import type { EarlierName } from '#contract/console/people/earlier-levels.ts'
import { recordColumns } from '#contract/console/people/record-columns.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { writesDayFirst } from '#contract/dates/day-order.ts'
import { region } from '#contract/region.ts'
import { fieldsInUse } from '#contract/member-record/record-fields.ts'
import { levelsByKey, listEarlierLevels } from '#server/features/levels/level.queries.ts'
import { collectYielding, mapYielding } from '#server/jobs/event-loop-yield.ts'
import { csvRows, detectSeparator, type CsvRow } from '#server/lib/csv/csv.ts'
import { decodeSpreadsheet } from '#server/lib/csv/spreadsheet-text.ts'
import { readsDayFirst } from '#server/lib/csv/read-day.rules.ts'
import { headingKey } from '#server/lib/heading-key.rules.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findExistingAccounts } from '../existing-accounts.repository.ts'
import type { ImportFile, ImportRow } from '../import-file.repository.ts'
import { validateEachRow, type RowVerdict } from '../member-import.rules.ts'
import { parseEachMemberRow, type MemberCells } from '../member-rows.rules.ts'
import { isDayFirst } from '../systems/import-systems.rules.ts'
import { earlierNames } from './level-names.rules.ts'

/** Checks the rows of a file of members: what each would do with the accounts that exist now. */
export function createRowReview({ db, clock, timeZone, graceMs, cache }: AppContext) {
  const fields = () => recordColumns(fieldsInUse(cache.content().recordFields))

  return {
    /** @throws Problem INVALID_INPUT with a message for the file */
    readLines: (bytes: Uint8Array): Promise<CsvRow[]> => withFileErrors(() => readLines(bytes)),

    /**
     * @param lines with the headings first
     * @param choices the levels that officers chose for names of this file; names without one have what was chosen for them in other files
     */
    async reviewRows(
      lines: readonly CsvRow[],
      {
        columns,
        startsOn,
        system,
        choices = [],
      }: Pick<ImportFile, 'startsOn' | 'system'> & {
        columns: readonly (ImportColumn | null)[]
        choices?: readonly (readonly [string, string | null])[]
      },
    ): Promise<{ rows: ImportRow[]; levelNames: EarlierName[] }> {
      const levels = await levelsByKey(db)
      const at = columns.indexOf('level')
      const levelNames = earlierNames(at < 0 ? [] : lines.slice(1).map(({ cells }) => cells[at] ?? ''), {
        levels: [...levels.values()],
        chosen: new Map([...(await listEarlierLevels(db)), ...choices]),
      })
      const isDays = (column: ImportColumn | null) =>
        column === 'startedOn' ||
        column === 'endsOn' ||
        fields().some(({ id, field }) => id === column && field.kind === 'day')
      const days = lines.slice(1).flatMap(({ cells }) => cells.filter((_, index) => isDays(columns[index] ?? null)))
      const isUsual = isDayFirst(system) || writesDayFirst(region().country)
      const format = { isDayFirst: readsDayFirst(days, isUsual), today: dayOf(clock.now(), timeZone), levelNames }
      const readings = await collectYielding(parseEachMemberRow(lines, levels, columns, fields(), startsOn, format))
      const emails = readings.map(({ cells }) => cells.email)
      const usernames = readings.map(({ cells }) => cells.username)
      const known = await findExistingAccounts(db, { emails, usernames }, { timeZone, graceMs: graceMs() })
      const verdicts = await collectYielding(validateEachRow(readings, known, fields()))
      const rows = await mapYielding(readings, (reading, index) =>
        toRow(reading, verdicts[index] ?? { kind: 'unchanged' }, lines[index + 1]?.cells ?? []),
      )
      return { rows, levelNames: levelNames.flatMap((name) => withRowsThatNeedIt(name, rows)) }
    },
  }
}

export type RowReview = ReturnType<typeof createRowReview>

/** Reports errors about the whole file under the file field. */
async function withFileErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof Problem ? error : fieldProblem('file', (error as Error).message)
  }
}

/** @throws Error with a message for the officer */
async function readLines(bytes: Uint8Array): Promise<CsvRow[]> {
  const text = decodeSpreadsheet(bytes)
  const lines = await collectYielding(csvRows(text, detectSeparator(text)))
  if (lines.length < 2)
    throw new Error('The file has no rows. The first line names the columns; each further line is one member.')
  if (lines.length - 1 > IMPORT_MAX_ROWS)
    throw new Error(`The file has more than ${IMPORT_MAX_ROWS.toLocaleString('en-US')} rows. Split it into two.`)
  return lines
}

/** People who are known and have no level, such as officers in our own exports, need none. */
function withRowsThatNeedIt(name: EarlierName, rows: readonly ImportRow[]): EarlierName[] {
  if (name.key !== '' || name.choice !== 'none') return [name]
  const needing = rows.filter(
    ({ cells, faults }) => headingKey(cells?.level ?? '') === '' && faults.some(({ column }) => column === 'level'),
  )
  return needing.length === 0 ? [] : [{ ...name, rows: needing.length }]
}

function toRow(
  { line, cells }: { line: number; cells: MemberCells },
  verdict: RowVerdict,
  original: readonly string[],
): ImportRow {
  return {
    line,
    verdict: verdict.kind,
    original: [...original],
    cells,
    changes: verdict.kind === 'changed' ? verdict.changes : [],
    faults: verdict.kind === 'wrong' ? verdict.faults : [],
  }
}
