import { expect, test } from 'vitest'
import { readCsvRows, detectSeparator } from './csv.ts'
import { decodeSpreadsheet } from './spreadsheet-text.ts'

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, encoding))

test.each([
  ['UTF-8', bytes('José;Müller')],
  ['UTF-8 with its mark', bytes('\ufeffJosé;Müller')],
  ['Windows-1252', bytes('José;Müller', 'latin1')],
  ['Unicode text', bytes('\ufeffJosé;Müller', 'utf16le')],
])('reads %s', (_name, file) => expect(decodeSpreadsheet(file)).toBe('José;Müller'))

test.each([
  ['nothing', new Uint8Array(), 'The file is empty.'],
  ['a workbook', bytes('PK\u0003\u0004...'), 'This is a workbook'],
  ['a picture', new Uint8Array([1, 0, 0, 7]), 'This is not a text file'],
])('refuses %s with a message', (_name, file, sentence) => expect(() => decodeSpreadsheet(file)).toThrow(sentence))

test.each([
  ['a,b;c,d\n;;;;', ','],
  ['a;b;c\n', ';'],
  ['"a,b,c,d";b;c', ';'],
  ['a\tb', '\t'],
  ['one', ','],
])('%j is separated by %j', (text, separator) => expect(detectSeparator(text)).toBe(separator))

test('a row has the line it starts on, with empty rows before and line breaks within', () => {
  const text = 'a;b\r\n"x\ny";1\r\n;\r\nz;2\r\n'
  expect(readCsvRows(text, ';')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x\ny', '1'] },
    { line: 5, cells: ['z', '2'] },
  ])
})
