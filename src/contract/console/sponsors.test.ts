import { expect, test } from 'vitest'
import { runOfShowTimes } from './sponsors.ts'

test.each<[string, number[], string[], string, number]>([
  ['18:30', [], [], '6:30 PM', 0],
  ['18:30', [5, 3, 0, 10], ['6:30 PM', '6:35 PM', '6:38 PM', '6:38 PM'], '6:48 PM', 18],
  ['11:58', [3], ['11:58 AM'], '12:01 PM', 3],
  ['23:50', [15, 5], ['11:50 PM', '12:05 AM'], '12:10 AM', 20],
])('from %s, %j minutes: begin at %j, end at %s, %d in all', (startsAt, minutes, begins, endsAt, total) => {
  const items = minutes.map((count) => ({ minutes: count }))
  expect(runOfShowTimes(startsAt, items)).toEqual({ begins, endsAt, total })
})
