import { mapYielding } from '#server/jobs/event-loop-yield.ts'

/** Prefixes that make a spreadsheet evaluate a cell as a formula or start a new cell, full-width forms included. */
export const DANGEROUS_PREFIXES = ['=', '+', '-', '@', '|', '%', '\t', '\r', '\n', '＝', '＋', '＠'] as const

const GUARD = "'"
const DANGEROUS = new RegExp(
  `^${GUARD}*[${DANGEROUS_PREFIXES.map((prefix) => (prefix === '-' ? '\\-' : prefix)).join('')}]`,
  'u',
)
const BYTE_ORDER_MARK = '\ufeff'

/** A numeric cell, written without quotes and without the guard so that spreadsheets can sum it. */
export interface NumberCell {
  readonly number: number
  readonly decimals: number
}

export type CsvCell = string | NumberCell

export function countCell(count: number): NumberCell {
  return { number: count, decimals: 0 }
}

/** `cents` is in minor units: -1250 is written as '-12.50'. */
export function moneyCell(cents: number): NumberCell {
  return { number: cents / 100, decimals: 2 }
}

/**
 * Writes CSV (RFC 4180) that no spreadsheet evaluates: text that could be a formula is prefixed with an apostrophe, which `readCsv` removes again. Numbers
 * cannot be formulas, so negative numbers stay numbers.
 */
export function writeCsv(rows: readonly (readonly CsvCell[])[]): string {
  const lines = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? formatText(cell) : formatNumber(cell))).join(','),
  )
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`
}

const ROWS_PER_CHUNK = 200

/** Like `writeCsv` for thousands of rows: yields to the event loop in between. */
export async function writeLongCsv(rows: readonly (readonly CsvCell[])[]): Promise<Uint8Array> {
  const starts = Array.from({ length: Math.ceil(rows.length / ROWS_PER_CHUNK) }, (_, chunk) => chunk * ROWS_PER_CHUNK)
  const chunks = await mapYielding(starts, (from) => {
    const text = writeCsv(rows.slice(from, from + ROWS_PER_CHUNK))
    return Buffer.from(from === 0 ? text : text.slice(BYTE_ORDER_MARK.length))
  })
  return Buffer.concat(chunks)
}

/** A written file as text to store: without the byte order mark, which some database drivers drop. */
export function csvText(file: Uint8Array): string {
  return new TextDecoder().decode(file)
}

/** The file of a stored text, byte for byte as it was written. */
export function csvFile(text: string): Buffer {
  return Buffer.from(text.startsWith(BYTE_ORDER_MARK) ? text : `${BYTE_ORDER_MARK}${text}`)
}

/** A row and the line it starts on, from 1. */
export interface CsvRow {
  line: number
  cells: string[]
}

/** @throws Error naming the line of an unterminated quoted cell */
export function readCsv(text: string): string[][] {
  return readCsvRows(text, ',').map(({ cells }) => cells)
}

/** Parses a spreadsheet's rows with the given separator; skips empty rows. @throws Error like `readCsv` */
export function readCsvRows(text: string, separator: string): CsvRow[] {
  return [...csvRows(text, separator)]
}

/** Like `readCsvRows`, one row at a time, for long files. */
export function* csvRows(text: string, separator: string): Generator<CsvRow> {
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let startLine = 1
  let quoteLine = 1
  const source = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  const endCell = () => {
    row.push(DANGEROUS.test(cell) && cell.startsWith(GUARD) ? cell.slice(1) : cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    const ended = { line: startLine, cells: row }
    row = []
    startLine = line
    return ended
  }
  const hasText = ({ cells }: CsvRow) => cells.some((found) => found !== '')
  for (let index = 0; index < source.length; index++) {
    const char = source[index] ?? ''
    if (char === '\n') line++
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (source[index + 1] === '"') cell += source[++index]
      else isQuoted = false
    } else if (char === '"') {
      isQuoted = true
      quoteLine = line
    } else if (char === separator) endCell()
    else if (char === '\n') {
      const ended = endRow()
      if (hasText(ended)) yield ended
    } else if (char !== '\r' || source[index + 1] !== '\n') cell += char
  }
  if (isQuoted) throw new Error(`A quoted cell is not closed (line ${quoteLine}).`)
  if (cell === '' && row.length === 0) return
  const last = endRow()
  if (hasText(last)) yield last
}

const SEPARATORS = [',', ';', '\t'] as const

/** Detects the separator: the candidate that occurs most often in the first line, outside quotes. */
export function detectSeparator(text: string): string {
  const counts = new Map<string, number>()
  let isQuoted = false
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted
    else if (char === '\n' && !isQuoted) break
    else if (!isQuoted) counts.set(char, (counts.get(char) ?? 0) + 1)
  }
  return SEPARATORS.reduce((best, next) => ((counts.get(next) ?? 0) > (counts.get(best) ?? 0) ? next : best))
}

function formatText(cell: string): string {
  return `"${(DANGEROUS.test(cell) ? GUARD + cell : cell).replaceAll('"', '""')}"`
}

function formatNumber({ number, decimals }: NumberCell): string {
  if (!Number.isFinite(number)) throw new Error(`Cannot write ${number} to a CSV file`)
  // Adding zero turns -0 into 0.
  return (number + 0).toFixed(decimals)
}
