import { mapInTurns } from './pacing.ts'

/** What makes a spreadsheet run a cell as a formula, or begin another one: twelve beginnings, full-width forms too. */
export const DANGEROUS_PREFIXES = ['=', '+', '-', '@', '|', '%', '\t', '\r', '\n', '＝', '＋', '＠'] as const

const GUARD = "'"
const DANGEROUS = new RegExp(
  `^${GUARD}*[${DANGEROUS_PREFIXES.map((prefix) => (prefix === '-' ? '\\-' : prefix)).join('')}]`,
  'u',
)
const BYTE_ORDER_MARK = '\ufeff'

/** A cell that a spreadsheet adds up: it stands in the file bare, without quotes and without the guard. */
export interface NumberCell {
  readonly number: number
  readonly decimals: number
}

export type CsvCell = string | NumberCell

export function countCell(count: number): NumberCell {
  return { number: count, decimals: 0 }
}

/** An amount of minor units, as '-12.50'. */
export function moneyCell(cents: number): NumberCell {
  return { number: cents / 100, decimals: 2 }
}

/**
 * Rows as CSV (RFC 4180) that no spreadsheet runs: a text that could be a formula gets an apostrophe in front, and `readCsv` takes exactly that one away.
 * A number cannot be a formula, so a negative one stays a number.
 */
export function writeCsv(rows: readonly (readonly CsvCell[])[]): string {
  const lines = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? textOf(cell) : numberOf(cell))).join(','),
  )
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`
}

const ROWS_A_PART = 200

/** The same for thousands of rows, in turns with everything else. */
export async function writeLongCsv(rows: readonly (readonly CsvCell[])[]): Promise<Uint8Array> {
  const starts = Array.from({ length: Math.ceil(rows.length / ROWS_A_PART) }, (_, part) => part * ROWS_A_PART)
  const parts = await mapInTurns(starts, (from) => {
    const text = writeCsv(rows.slice(from, from + ROWS_A_PART))
    return Buffer.from(from === 0 ? text : text.slice(BYTE_ORDER_MARK.length))
  })
  return Buffer.concat(parts)
}

/** A row with the line of the file it begins on, from 1. */
export interface CsvRow {
  line: number
  cells: string[]
}

/** @throws Error naming the line, when a quoted cell does not end */
export function readCsv(text: string): string[][] {
  return readCsvRows(text, ',').map(({ cells }) => cells)
}

/** Rows as a spreadsheet wrote them, with whatever stands between its cells; those without a word are left out. @throws Error as `readCsv` */
export function readCsvRows(text: string, separator: string): CsvRow[] {
  return [...csvRows(text, separator)]
}

/** The same one by one, for long files. */
export function* csvRows(text: string, separator: string): Generator<CsvRow> {
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let beganOn = 1
  let quotedOn = 1
  const source = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  const endCell = () => {
    row.push(DANGEROUS.test(cell) && cell.startsWith(GUARD) ? cell.slice(1) : cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    const ended = { line: beganOn, cells: row }
    row = []
    beganOn = line
    return ended
  }
  const hasWords = ({ cells }: CsvRow) => cells.some((found) => found !== '')
  for (let at = 0; at < source.length; at++) {
    const letter = source[at] ?? ''
    if (letter === '\n') line++
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (source[at + 1] === '"') cell += source[++at]
      else isQuoted = false
    } else if (letter === '"') {
      isQuoted = true
      quotedOn = line
    } else if (letter === separator) endCell()
    else if (letter === '\n') {
      const ended = endRow()
      if (hasWords(ended)) yield ended
    } else if (letter !== '\r' || source[at + 1] !== '\n') cell += letter
  }
  if (isQuoted) throw new Error(`A quoted cell does not end (line ${quotedOn}).`)
  if (cell === '' && row.length === 0) return
  const last = endRow()
  if (hasWords(last)) yield last
}

const SEPARATORS = [',', ';', '\t'] as const

/** What stands between the cells of a file: whatever its first line has most of, outside quotes. */
export function separatorOf(text: string): string {
  const counts = new Map<string, number>()
  let isQuoted = false
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === '\n' && !isQuoted) break
    else if (!isQuoted) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  return SEPARATORS.reduce((best, next) => ((counts.get(next) ?? 0) > (counts.get(best) ?? 0) ? next : best))
}

function textOf(cell: string): string {
  return `"${(DANGEROUS.test(cell) ? GUARD + cell : cell).replaceAll('"', '""')}"`
}

function numberOf({ number, decimals }: NumberCell): string {
  if (!Number.isFinite(number)) throw new Error(`${number} is not a number for a file`)
  // Adding zero turns -0 into 0.
  return (number + 0).toFixed(decimals)
}
