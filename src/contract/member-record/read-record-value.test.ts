import { describe, expect, test } from 'vitest'
import type { RecordKind } from './record-fields.ts'
import { readRecordValue } from './read-record-value.ts'
import { recordLines, recordText } from './record-values.ts'

const CHOICES = ['Hindi', 'Tamil', 'English']
const read = (kind: RecordKind, input: unknown) => readRecordValue({ kind, choices: CHOICES }, input)
const fine = (value: unknown) => ({ value, problems: null })

const home = { lines: ['12 Pecan Street', 'Apt 4'], city: 'Macon', region: 'GA', postalCode: '31201', country: '' }

describe('a value is read as its field says', () => {
  test.each<[RecordKind, unknown, unknown]>([
    ['line', '  Cardiology of Macon ', 'Cardiology of Macon'],
    ['line', ' ', null],
    ['choice', 'Tamil', 'Tamil'],
    ['choices', ['English', 'Hindi', 'Hindi'], ['Hindi', 'English']],
    ['choices', [], null],
    ['phone', '+1 (478) 555-0142 ext. 7', '+1 (478) 555-0142 ext. 7'],
    ['day', '1987-02-28', '1987-02-28'],
    ['number', '1994', 1994],
    ['number', 1994, 1994],
    ['number', '-3', -3],
    ['address', home, home],
    ['address', { ...home, lines: [' 12 Pecan Street ', 'Apt 4 '], country: undefined }, home],
    ['address', { lines: [''], city: ' ' }, null],
    ...(['line', 'choice', 'choices', 'phone', 'address', 'day', 'number'] as const).flatMap(
      (kind): [RecordKind, unknown, unknown][] => [
        [kind, null, null],
        [kind, '', null],
        [kind, undefined, null],
      ],
    ),
  ])('%s %j is %j', (kind, input, value) => expect(read(kind, input)).toEqual(fine(value)))

  test.each<[RecordKind, unknown, Record<string, string>]>([
    ['line', 'x'.repeat(201), { '': 'Please use at most 200 characters' }],
    ['line', 'a\u202Eb', { '': 'Please use ordinary characters only.' }],
    ['line', { toString: 'x' }, { '': 'Please use ordinary characters only.' }],
    ['choice', 'Latin', { '': 'Please choose one of the options' }],
    ['choices', ['Hindi', 'Latin'], { '': 'Please choose from the options' }],
    ['choices', 'Hindi', { '': 'Please choose from the options' }],
    ['choices', [['Hindi']], { '': 'Please choose from the options' }],
    ['phone', '12345', { '': 'Please enter a phone number, such as +1 478 555 0142' }],
    ['phone', 'call my office 4785550142', { '': 'Please enter a phone number, such as +1 478 555 0142' }],
    ['day', '2026-02-30', { '': 'Please enter a date' }],
    ['number', '1.5', { '': 'Please enter a whole number' }],
    ['number', Number.NaN, { '': 'Please enter a whole number' }],
    ['number', '12345678901', { '': 'Please enter a whole number' }],
    ['address', { ...home, lines: [] }, { 'lines.0': 'Please enter the street' }],
    ['address', { ...home, city: '' }, { city: 'Please enter the city' }],
    ['address', { ...home, lines: ['a', 'b', 'c'] }, { 'lines.0': 'Please use at most two lines for the street' }],
    ['address', { ...home, postalCode: 'x'.repeat(21) }, { postalCode: 'Please use at most 20 characters' }],
  ])('%s %j is refused', (kind, input, problems) => expect(read(kind, input)).toEqual({ problems }))
})

test('an address is written line by line as on an envelope, and in one line', () => {
  expect(recordLines(home)).toEqual(['12 Pecan Street', 'Apt 4', 'Macon, GA 31201'])
  expect(recordText({ ...home, country: 'India', region: '' })).toBe('12 Pecan Street, Apt 4, Macon, 31201, India')
  expect(recordText(['Hindi', 'Tamil'])).toBe('Hindi, Tamil')
  expect(recordText(1994)).toBe('1994')
})
