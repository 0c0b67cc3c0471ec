import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DANGEROUS_PREFIXES, countCell, csvFile, csvText, moneyCell, readCsv, writeCsv, writeLongCsv } from './csv.ts'

test('there are twelve prefixes', () => expect(new Set(DANGEROUS_PREFIXES).size).toBe(12))

test.each(DANGEROUS_PREFIXES)('a cell that starts with %j is not evaluated, and is read back unchanged', (prefix) => {
  for (const cell of [prefix, `${prefix}cmd|' /C calc'!A0`, `'${prefix}x`, `''${prefix}x`]) {
    const text = writeCsv([[cell, 'Rao']])
    expect(text.slice(1, 3)).toBe(`"'`)
    expect(readCsv(text)).toEqual([[cell, 'Rao']])
  }
})

test('all written cells are read back exactly', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom("'", '"', ',', '=', '\r', '\n', 'a', '-') }),
  )
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), (rows) => {
      expect(readCsv(writeCsv(rows))).toEqual(rows.filter((row) => row.some((found) => found !== '')))
    }),
  )
})

test.each([
  [
    'plain cells, as a spreadsheet saves them',
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['without a last line break', 'a,b', [['a', 'b']]],
  ['empty cells and lines', 'a,,c\n\n,,\n', [['a', '', 'c']]],
  ['a comma, a quote and a line break in quotes', '"a,""b\n",c', [['a,"b\n', 'c']]],
])('reads %s', (_name, text, rows) => expect(readCsv(text)).toEqual(rows))

test('an unclosed quote is reported with its line', () => expect(() => readCsv('a\n"b')).toThrow('line 2'))

test.each([
  [-10_000, '-100.00'],
  [0, '0.00'],
  [-0, '0.00'],
  [5, '0.05'],
  [123_456, '1234.56'],
])('%d cents are written as a number that spreadsheets can sum', (cents, written) => {
  const text = writeCsv([[moneyCell(cents), '-100.00', countCell(-3)]])
  expect(text).toBe(`\ufeff${written},"'-100.00",-3\r\n`)
  expect(readCsv(text)).toEqual([[written, '-100.00', '-3']])
})

test('NaN and infinite numbers are refused', () => {
  expect(() => writeCsv([[countCell(Number.NaN)]])).toThrow('Cannot write NaN')
})

test('a file that is stored as text comes back byte for byte, whether or not the mark was kept', async () => {
  const file = await writeLongCsv([['Name'], ['Zoë']])
  expect(csvText(file)).toBe('"Name"\r\n"Zoë"\r\n')
  for (const stored of [csvText(file), `\ufeff${csvText(file)}`])
    expect(csvFile(stored).equals(Buffer.from(file))).toBe(true)
})
