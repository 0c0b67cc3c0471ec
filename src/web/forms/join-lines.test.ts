import { expect, test } from 'vitest'
import { oneLine } from './one-line.ts'

test.each([
  ['as it is', 'as it is'],
  ['first\nsecond', 'first second'],
  [' first \r\n\n  second ', 'first second'],
  ['\n', ''],
])('%j is %j', (text, line) => {
  expect(oneLine(text)).toBe(line)
})
