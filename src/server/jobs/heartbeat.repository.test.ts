import { afterEach, expect, test, vi } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { isSiteRunning } from './heartbeat.ts'

const db = useTestDatabase()
const MINUTE_MS = 60_000
afterEach(() => vi.useRealTimers())

async function hear(at: number): Promise<void> {
  await db()
    .insertInto('job')
    .values({ name: 'site-is-running', dueAt: at, leasedUntil: null, lastDoneAt: at, lastError: null })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ lastDoneAt: at }))
    .execute()
}

/** @param minutes how far the clock of the command is ahead of the site's */
const clockAhead = (minutes: number) => ({ now: () => NOW + minutes * MINUTE_MS, close() {} })

test.each([0, 10, 14 * 60, -10, -50_000_000])(
  'a running site is detected by a clock that is %i minutes ahead',
  async (minutes) => {
    await hear(NOW)
    let waits = 0
    const isRunning = await isSiteRunning(db(), clockAhead(minutes), () => {
      waits++
      void hear(NOW + 10_000)
    })
    expect([isRunning, waits]).toEqual([true, 1])
  },
)

test('a recently stopped site is waited for, and then reported as stopped', async () => {
  await hear(NOW - 1_000)
  vi.useFakeTimers({ toFake: ['performance'] })
  let waits = 0
  const isRunning = await isSiteRunning(db(), clockAhead(0), () => {
    waits++
    setTimeout(() => vi.advanceTimersByTime(16_000), 100)
  })
  expect([isRunning, waits]).toEqual([false, 1])
})

test('returns immediately when no site ever ran, or none since yesterday', async () => {
  const never = () => expect.unreachable('it waits')
  expect(await isSiteRunning(db(), clockAhead(0), never)).toBe(false)
  await hear(NOW - 25 * 60 * MINUTE_MS)
  expect(await isSiteRunning(db(), clockAhead(0), never)).toBe(false)
})
