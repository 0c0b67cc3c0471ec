import { expect, test } from 'vitest'
import { isNpi } from './npi.ts'

test.each([
  ['1234567893', true],
  [' 1234567893 ', true],
  ['1245319599', true],
  ['1234567890', false],
  ['1234567839', false],
  ['2234567891', true],
  ['3234567890', false],
  ['123456789', false],
  ['12345678933', false],
  ['123456789X', false],
  ['', false],
  ['١٢٣٤٥٦٧٨٩٣', false],
])('%j: %s', (value, valid) => expect(isNpi(value)).toBe(valid))

test('any single wrong digit is detected', () => {
  const npi = '1234567893'
  for (let position = 1; position < npi.length; position++) {
    for (let digit = 0; digit < 10; digit++) {
      const changed = npi.slice(0, position) + digit + npi.slice(position + 1)
      if (changed !== npi) expect(isNpi(changed)).toBe(false)
    }
  }
})

test('exactly one check digit is valid', () => {
  for (let stem = 100_000_000; stem < 100_000_200; stem++) {
    expect(Array.from({ length: 10 }, (_, digit) => `${stem}${digit}`).filter(isNpi)).toHaveLength(1)
  }
})
