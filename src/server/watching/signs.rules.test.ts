import { expect, test } from 'vitest'
import { judgeClock, judgeDisk, judgeJobs, judgeNotices, judgeOutbox } from './signs.rules.ts'

const NOW = Date.UTC(2030, 5, 15, 12)
const MINUTE = 60_000
const DAY = 86_400_000
const MB = 1024 ** 2

test.each<[string, number | null, number | null, boolean]>([
  ['nothing happened at the provider', null, null, false],
  ['nothing happened, and the last notice is old', null, NOW - 90 * DAY, false],
  ['paid a moment ago, its notice on the way', NOW - 5 * MINUTE, null, false],
  ['paid 59 minutes ago', NOW - 59 * MINUTE, NOW - 9 * DAY, false],
  ['paid an hour ago, nothing since nine days', NOW - 60 * MINUTE, NOW - 9 * DAY, true],
  ['paid an hour ago, and no notice ever', NOW - 60 * MINUTE, null, true],
  ['its notice came', NOW - 60 * MINUTE, NOW - 59 * MINUTE, false],
  ['its notice came by a clock that differs by five minutes', NOW - 60 * MINUTE, NOW - 65 * MINUTE, false],
  ['a notice came before, and none of this', NOW - 60 * MINUTE, NOW - 71 * MINUTE, true],
])('silence of the webhook: %s', (_name, dueAt, lastAt, isSilent) => {
  expect(judgeNotices({ dueAt, lastAt, now: NOW }) !== null).toBe(isSilent)
})

test.each<[number | null, RegExp | null]>([
  [null, null],
  [0, null],
  [119_000, null],
  [-119_000, null],
  [10 * MINUTE, /is 10 minutes fast/],
  [-10 * MINUTE, /is 10 minutes slow/],
])('a clock that is %d ms off', (offset, says) => {
  const said = judgeClock(offset)
  if (says) expect(said).toMatch(says)
  else expect(said).toBeNull()
})

test.each([
  ['half of a small disk', 16 * MB, 32 * MB, false],
  ['a tenth of a small disk', 3.2 * MB, 32 * MB, false],
  ['less than a tenth of a small disk', 3 * MB, 32 * MB, true],
  ['a gigabyte of a large one', 1_024 * MB, 500_000 * MB, false],
  ['half a gigabyte of a large one', 512 * MB, 500_000 * MB, true],
])('%s', (_name, free, size, isLow) => expect(judgeDisk({ free, size }) !== null).toBe(isLow))

test('letters may wait for half an hour', () => {
  expect(judgeOutbox(30 * MINUTE - 1)).toBeNull()
  expect(judgeOutbox(45 * MINUTE)).toContain('45 minutes')
})

test.each<[string, string | null, number | null, boolean]>([
  ['went well', null, NOW - DAY, false],
  ['failed once', 'x', NOW - 16 * MINUTE, false],
  ['failed since more than three turns', 'x', NOW - 46 * MINUTE, true],
  ['never succeeded', 'x', null, true],
])('a job that %s', (_name, error, lastDoneAt, isTold) => {
  expect(judgeJobs([{ name: 'reconcile', everyMs: 15 * MINUTE, lastDoneAt, error }], NOW) !== null).toBe(isTold)
})
