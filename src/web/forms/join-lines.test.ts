import { expect, test } from 'vitest'
import { joinLines } from './join-lines.ts'

test.each([
  ['as it is', 'as it is'],
  ['first\nsecond', 'first second'],
  [' first \r\n\n  second ', 'first second'],
  ['\n', ''],
])('%j is %j', (text, line) => {
  expect(joinLines(text)).toBe(line)
})
