import type { KyselyPlugin } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { testEffect } from '#tests/support/test-effect.ts'
import { PermanentFailure, startOutbox, type EffectHandler, type OutboxWorker } from './outbox-worker.ts'
import { addToOutbox } from './outbox.repository.ts'
import { listDeadLetters } from './outbox-records.repository.ts'

const db = useTestDatabase()
const MINUTE_MS = 60_000
const TEST = testEffect()
const PAST_EVERY_LEASE_MS = 125_000
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

let now = NOW
/** How many outbox updates fail before the database is back. */
let changesThatFail = 0
/** Claims succeed: the outage starts in the middle of the work. */
const faults: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind === 'UpdateQueryNode' && changesThatFail > 0) {
      changesThatFail--
      throw new Error('Connection terminated unexpectedly')
    }
    return node
  },
  transformResult: async ({ result }) => result,
}

afterEach(() => {
  now = NOW
  changesThatFail = 0
  vi.useRealTimers()
})

function worker(
  handler: (index: number) => Promise<void> | void,
  onDead: () => Promise<void> = async () => {},
): OutboxWorker {
  const test: EffectHandler = async (payload) => handler((payload as { index: number }).index)
  return startOutbox({
    db: db().withPlugin(faults),
    clock: { now: () => now, close() {} },
    log: quiet,
    handlers: { test },
    polling: false,
    onDead,
    pausesMs: [1, 1],
  })
}

async function queue(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await addToOutbox(db(), { effect: TEST, payload: { index } }, NOW)
}

/** Work that runs until `finish` is called. */
function createTask(): { work: Promise<void>; finish(): void } {
  let finish = () => {}
  const work = new Promise<void>((resolve) => (finish = resolve))
  return { work, finish }
}

async function countDone(): Promise<number> {
  const rows = await db().selectFrom('outbox').select('id').where('doneAt', 'is not', null).execute()
  return rows.length
}

test('each result is recorded while others are running: after a crash only the unfinished run again', async () => {
  await queue(4)
  const slow = createTask()
  const dying = worker((index) => (index === 3 ? slow.work : undefined))
  dying.wake()
  await expect.poll(countDone).toBe(3)

  now += PAST_EVERY_LEASE_MS
  const again: number[] = []
  await worker((index) => void again.push(index)).drain()
  expect(again).toEqual([3])
  slow.finish()
  await dying.stop()
})

test('a short database outage makes nothing run twice', async () => {
  await queue(3)
  const ran: number[] = []
  const outbox = worker((index) => {
    ran.push(index)
    changesThatFail = 2
  })
  await outbox.drain()
  expect(await countDone()).toBe(3)
  now += PAST_EVERY_LEASE_MS
  await outbox.drain()
  expect(ran.toSorted()).toEqual([0, 1, 2])
})

test('a result that cannot be recorded affects no other effect, and is retried once the lease expires', async () => {
  await queue(3)
  const ran: number[] = []
  const othersAreDone = () => expect.poll(countDone).toBe(2)
  const outbox = worker(async (index) => {
    ran.push(index)
    if (index !== 0 || ran.length > 3) return
    await othersAreDone().catch(() => {})
    changesThatFail = 3
    throw new Error('away')
  })
  await outbox.drain()
  expect(ran.toSorted()).toEqual([0, 1, 2])
  now += PAST_EVERY_LEASE_MS
  await outbox.drain()
  expect(ran.toSorted()).toEqual([0, 0, 1, 2])
  expect(await countDone()).toBe(3)
})

test('an effect is dead-lettered and reported together, or not at all', async () => {
  await queue(1)
  let reported = 0
  const outbox = worker(
    () => {
      throw new PermanentFailure('no such address')
    },
    async () => {
      if (++reported === 1) throw new Error('Connection terminated unexpectedly')
    },
  )
  await outbox.drain()
  expect(reported).toBe(2)
  expect(await listDeadLetters(db())).toHaveLength(1)
})

test('while an effect is running, however long, no one else gets it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await queue(1)
  const slow = createTask()
  let runs = 0
  const handler = () => {
    runs++
    return slow.work
  }
  const first = worker(handler)
  first.wake()
  await expect.poll(() => runs).toBe(1)
  const second = worker(handler)
  for (let minute = 0; minute < 5; minute++) {
    now += MINUTE_MS
    // One renewal, not one for each second of the minute: they would all wait for the same row.
    vi.advanceTimersToNextTimer()
    const leasedUntil = async () =>
      (await db().selectFrom('outbox').select('leasedUntil').executeTakeFirstOrThrow()).leasedUntil
    await expect.poll(leasedUntil).toBe(now + 2 * MINUTE_MS)
    await second.drain()
  }
  slow.finish()
  await first.stop()
  expect(runs).toBe(1)
  expect(await countDone()).toBe(1)
})

test('a process does not take its own effects again, even after its clock jumped past the lease', async () => {
  await queue(1)
  const slow = createTask()
  let begun = 0
  const one = worker(() => {
    begun++
    return slow.work
  })
  one.wake()
  await expect.poll(() => begun).toBe(1)

  // Like a suspended machine that resumes.
  now += PAST_EVERY_LEASE_MS
  one.wake()
  await new Promise((resolve) => setTimeout(resolve, 50))
  slow.finish()
  await one.drain()
  expect([begun, await countDone()]).toEqual([1, 1])
  await one.stop()
})
