import { expect, test } from 'vitest'
import {
  checkClockOffset,
  checkDiskSpace,
  checkFailingJobs,
  checkWebhookSilence,
  checkOutboxDelay,
  checkPassCertificate,
} from './health-checks.rules.ts'

const NOW = Date.UTC(2030, 5, 15, 12)
const MINUTE = 60_000
const DAY = 86_400_000
const MB = 1024 ** 2

test.each<[string, number | null, number | null, boolean]>([
  ['nothing happened at the provider', null, null, false],
  ['nothing happened, and the last event is old', null, NOW - 90 * DAY, false],
  ['paid a moment ago, and the event is on its way', NOW - 5 * MINUTE, null, false],
  ['paid 59 minutes ago', NOW - 59 * MINUTE, NOW - 9 * DAY, false],
  ['paid an hour ago, and no event for nine days', NOW - 60 * MINUTE, NOW - 9 * DAY, true],
  ['paid an hour ago, and no event ever', NOW - 60 * MINUTE, null, true],
  ['the event arrived', NOW - 60 * MINUTE, NOW - 59 * MINUTE, false],
  ['the event arrived, by a clock that differs by five minutes', NOW - 60 * MINUTE, NOW - 65 * MINUTE, false],
  ['an earlier event arrived, but none about this', NOW - 60 * MINUTE, NOW - 71 * MINUTE, true],
])('webhook silence: %s', (_name, dueAt, lastAt, isSilent) => {
  expect(checkWebhookSilence({ dueAt, lastAt, now: NOW }) !== null).toBe(isSilent)
})

test.each<[number | null, RegExp | null]>([
  [null, null],
  [0, null],
  [119_000, null],
  [-119_000, null],
  [10 * MINUTE, /is 10 minutes fast/],
  [-10 * MINUTE, /is 10 minutes slow/],
])('a clock that is %d ms off', (offset, pattern) => {
  const message = checkClockOffset(offset)
  if (pattern) expect(message).toMatch(pattern)
  else expect(message).toBeNull()
})

test.each([
  ['half of a small disk', 16 * MB, 32 * MB, false],
  ['a tenth of a small disk', 3.2 * MB, 32 * MB, false],
  ['less than a tenth of a small disk', 3 * MB, 32 * MB, true],
  ['a gigabyte of a large one', 1_024 * MB, 500_000 * MB, false],
  ['half a gigabyte of a large one', 512 * MB, 500_000 * MB, true],
])('%s', (_name, free, size, isLow) => expect(checkDiskSpace({ free, size }) !== null).toBe(isLow))

test('emails may wait for half an hour', () => {
  expect(checkOutboxDelay(30 * MINUTE - 1)).toBeNull()
  expect(checkOutboxDelay(45 * MINUTE)).toContain('45 minutes')
})

test.each<[string, string | null, number | null, boolean]>([
  ['succeeded', null, NOW - DAY, false],
  ['failed once', 'x', NOW - 16 * MINUTE, false],
  ['has failed for more than three intervals', 'x', NOW - 46 * MINUTE, true],
  ['never succeeded', 'x', null, true],
])('a job that %s', (_name, error, lastDoneAt, isReported) => {
  expect(checkFailingJobs([{ name: 'reconcile', everyMs: 15 * MINUTE, lastDoneAt, error }], NOW) !== null).toBe(
    isReported,
  )
})

test.each<[string, number | null, RegExp | null]>([
  ['cannot be read', null, null],
  ['lasts for a year', NOW + 365 * DAY, null],
  ['lasts for 30 days', NOW + 30 * DAY, null],
  ['lasts for 29 days', NOW + 29 * DAY, /expires on 2030-07-14/],
  ['ended yesterday', NOW - DAY, /expired on 2030-06-14/],
])('a certificate for Apple Wallet that %s', (_name, endsAt, pattern) => {
  const message = checkPassCertificate(endsAt, NOW)
  if (pattern) expect(message).toMatch(pattern)
  else expect(message).toBeNull()
})
