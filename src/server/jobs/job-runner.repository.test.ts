import { expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { startJobRunner } from './job-runner.ts'

const db = useTestDatabase()
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** A runner with one job and a clock controlled by the test. */
async function runner(run: () => Promise<void>, clock: { at: number }) {
  return startJobRunner({
    db: db(),
    clock: { now: () => clock.at, close() {} },
    log: quiet,
    polling: false,
    jobs: [{ name: 'sweep', everyMs: 60_000, run }],
  })
}

test('a job runs repeatedly, never before it is due', async () => {
  const clock = { at: NOW }
  let runs = 0
  const jobs = await runner(async () => void runs++, clock)
  await jobs.runDue()
  expect(runs).toBe(0)
  for (const [at, expected] of [
    [NOW + 59_999, 0],
    [NOW + 60_000, 1],
    [NOW + 60_001, 1],
    [NOW + 120_000, 2],
    [NOW + 900_000, 3],
  ] as const) {
    clock.at = at
    await jobs.runDue()
    expect(runs).toBe(expected)
  }
})

test('each run is executed by one of four instances', async () => {
  const clock = { at: NOW }
  let runs = 0
  const instances = await Promise.all(Array.from({ length: 4 }, () => runner(async () => void runs++, clock)))
  clock.at = NOW + 60_000
  await Promise.all(instances.map((jobs) => jobs.runDue()))
  expect(runs).toBe(1)
  clock.at = NOW + 120_000
  await Promise.all(instances.map((jobs) => jobs.runDue()))
  expect(runs).toBe(2)
})

test('a failure is recorded, and the job runs again', async () => {
  const clock = { at: NOW }
  let fails = true
  const jobs = await runner(async () => {
    if (fails) throw new Error('the provider is away')
  }, clock)
  clock.at = NOW + 60_000
  await jobs.runDue()
  const row = () => db().selectFrom('job').selectAll().where('name', '=', 'sweep').executeTakeFirstOrThrow()
  expect(await row()).toMatchObject({ lastError: 'the provider is away', lastDoneAt: null, leasedUntil: null })
  fails = false
  clock.at = NOW + 120_000
  await jobs.runDue()
  expect(await row()).toMatchObject({ lastError: null, lastDoneAt: NOW + 120_000 })
})

test('a run whose process died is taken over once its lease expires', async () => {
  const clock = { at: NOW }
  let runs = 0
  const jobs = await runner(async () => void runs++, clock)
  clock.at = NOW + 60_000
  await db()
    .updateTable('job')
    .set({ leasedUntil: NOW + 360_000 })
    .execute()
  await jobs.runDue()
  expect(runs).toBe(0)
  clock.at = NOW + 360_000
  await jobs.runDue()
  expect(runs).toBe(1)
})

test('stopping waits for the current run', async () => {
  const clock = { at: NOW }
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  let isDone = false
  const jobs = await runner(async () => {
    started.resolve()
    await finish.promise
    isDone = true
  }, clock)
  clock.at = NOW + 60_000
  const running = jobs.runDue()
  await started.promise
  const stopped = jobs.stop()
  finish.resolve()
  await Promise.all([running, stopped])
  expect(isDone).toBe(true)
})

test('a long job runs concurrently with the others, under its lease, once at a time, and is waited for', async () => {
  const clock = { at: NOW }
  let copies = 0
  let sweeps = 0
  let finish: () => void = () => {}
  const copy = async () => {
    copies++
    await new Promise<void>((resolve) => (finish = resolve))
  }
  const instance = () =>
    startJobRunner({
      db: db(),
      clock: { now: () => clock.at, close() {} },
      log: quiet,
      polling: false,
      jobs: [
        { name: 'copy', everyMs: 60_000, leaseMs: 120_000, runsConcurrently: true, run: copy },
        { name: 'sweep', everyMs: 60_000, run: async () => void sweeps++ },
      ],
    })
  const [jobs, other] = [await instance(), await instance()]
  const pendingRuns: Promise<void>[] = []
  for (const [at, expected] of [
    [NOW + 60_000, 1],
    [NOW + 120_000, 2],
    // The lease has expired, but this instance knows that the job is still running.
    [NOW + 190_000, 3],
  ] as const) {
    clock.at = at
    pendingRuns.push(jobs.runDue())
    await expect.poll(() => sweeps).toBe(expected)
    if (at === NOW + 120_000) await other.runDue()
  }
  expect(copies).toBe(1)
  const stopped = jobs.stop()
  finish()
  await stopped
  await Promise.all(pendingRuns)
  const row = await db().selectFrom('job').selectAll().where('name', '=', 'copy').executeTakeFirstOrThrow()
  expect(row).toMatchObject({ lastDoneAt: NOW + 190_000, dueAt: NOW + 250_000, leasedUntil: null })
  clock.at = NOW + 250_000
  const last = other.runDue()
  await expect.poll(() => copies).toBe(2)
  finish()
  await last
})
