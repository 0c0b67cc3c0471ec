import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { z } from 'zod'
import { defineEmail } from '#server/emails/define-email.ts'
import { testEffect } from '#tests/support/test-effect.ts'
import { PRIORITIES, type Lane } from './effect-priorities.ts'
import { startOutbox, PermanentFailure, type EffectHandler } from './outbox-worker.ts'
import {
  addToOutbox,
  deadLetter,
  claimEffects,
  markEffectsDone,
  postponeEffect,
  type ClaimedEffect,
} from './outbox.repository.ts'
import {
  deleteFinishedEffects,
  listDeadLetters,
  listEmailsAbout,
  requeueCopy,
  outboxHealth,
  requeueDeadLetters,
} from './outbox-records.repository.ts'
import { createPrioritySlots } from '#server/lib/priority-slots.ts'

const db = useTestDatabase()
const LEASE_MS = 60_000

const TEST = testEffect()

function claim(limit = 100, now = NOW, lane: Lane = 'rest') {
  const slots = createPrioritySlots([limit, limit, limit, limit])
  return claimEffects(db(), { lane, slots, leaseMs: LEASE_MS, holder: 'one', now })
}

async function queue(count: number, kind = 'test'): Promise<void> {
  for (let index = 0; index < count; index++)
    await addToOutbox(db(), { effect: testEffect(kind), payload: { index } }, NOW + index)
}

describe('queueing', () => {
  test('an effect is claimed as it was queued', async () => {
    await addToOutbox(db(), { effect: TEST, payload: { id: 'x', amount: 7, nested: ['ü'] } }, NOW)
    expect(await claim()).toEqual([
      {
        id: expect.any(String) as string,
        kind: 'test',
        priority: PRIORITIES.personal,
        payload: { id: 'x', amount: 7, nested: ['ü'] },
        attempts: 1,
        createdAt: NOW,
      },
    ])
  })

  test('it is rolled back with its transaction', async () => {
    const failing = db()
      .transaction()
      .execute(async (tx) => {
        await addToOutbox(tx, { effect: TEST, payload: {} }, NOW)
        throw new Error('the change was not committed')
      })
    await expect(failing).rejects.toThrow('the change was not committed')
    expect(await claim()).toEqual([])
  })

  test('with a key it is queued once, ever, even twenty times concurrently and after it finished', async () => {
    const add = () => addToOutbox(db(), { effect: TEST, payload: {}, dedupeKey: 'once' }, NOW)
    await Promise.all(Array.from({ length: 20 }, add))
    const claimed = await claim()
    expect(claimed).toHaveLength(1)
    await markEffectsDone(
      db(),
      claimed.map(({ id }) => id),
      NOW,
    )
    await add()
    expect(await claim()).toEqual([])
  })

  test('a scheduled effect waits', async () => {
    await addToOutbox(db(), { effect: TEST, payload: {}, dueAt: NOW + 5_000 }, NOW)
    expect(await claim(10, NOW + 4_999)).toEqual([])
    expect(await claim(10, NOW + 5_000)).toHaveLength(1)
  })
})

describe('claiming', () => {
  test('oldest first, up to the limit', async () => {
    await queue(5)
    expect((await claim(2, NOW + 100)).map(({ payload }) => (payload as { index: number }).index).sort()).toEqual([
      0, 1,
    ])
    expect((await claim(2, NOW + 100)).map(({ payload }) => (payload as { index: number }).index).sort()).toEqual([
      2, 3,
    ])
  })

  test('each effect goes to one of several concurrent workers', async () => {
    await queue(60)
    const batches = await Promise.all(Array.from({ length: 8 }, () => claim(10, NOW + 100)))
    const ids = batches.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const rest = []
    for (let batch = await claim(100, NOW + 100); batch.length > 0; batch = await claim(100, NOW + 100))
      rest.push(...batch)
    expect(new Set([...ids, ...rest.map(({ id }) => id)]).size).toBe(60)
  })

  test('a leased effect is not claimed by others; after a crash it is taken over, with one more attempt', async () => {
    await queue(1)
    await claim()
    expect(await claim(10, NOW + LEASE_MS - 1)).toEqual([])
    expect(await claim(10, NOW + LEASE_MS)).toMatchObject([{ attempts: 2 }])
  })

  test.each([
    ['postpones', postponeEffect],
    ['gives up', deadLetter],
  ])('one that another transaction concurrently %s is not claimed', async (_, end) => {
    await queue(1)
    const [effect] = await claim()
    const later = NOW + LEASE_MS
    let claimed: Promise<ClaimedEffect[]> | undefined
    await db()
      .transaction()
      .execute(async (tx) => {
        await end(tx, { id: effect?.id ?? '', error: 'away', now: later, dueAt: later + 1 })
        claimed = claim(10, later)
        // The claim has read the old row, and waits for this transaction.
        await Promise.race([claimed, setTimeout(200)])
      })
    expect(await claimed).toEqual([])
  })

  test('emails and other effects have separate lanes', async () => {
    await queue(2, 'email.welcome')
    await queue(3, 'payment.refund')
    expect((await claim(10, NOW + 100, 'emails')).map(({ kind }) => kind)).toEqual(['email.welcome', 'email.welcome'])
    expect(await claim(10, NOW + 100, 'rest')).toHaveLength(3)
  })
})

describe('after an attempt', () => {
  test('a postponed effect runs when it is due', async () => {
    await queue(1)
    const [effect] = await claim()
    await postponeEffect(db(), { id: effect?.id ?? '', dueAt: NOW + 9_000, error: 'away' })
    expect(await claim(10, NOW + 8_999)).toEqual([])
    expect(await claim(10, NOW + 9_000)).toMatchObject([{ attempts: 2 }])
  })

  test('a dead letter is listed, and requeued only on request, one or all', async () => {
    await queue(3)
    const effects = await claim(10, NOW + 100)
    for (const { id } of effects) await deadLetter(db(), { id, error: 'refused', now: NOW + 200 })
    expect(await claim(10, NOW + LEASE_MS * 9)).toEqual([])
    const dead = await listDeadLetters(db())
    expect(dead).toHaveLength(3)
    expect(dead[0]).toMatchObject({ kind: 'test', error: 'refused', deadAt: NOW + 200 })
    expect(await requeueDeadLetters(db(), { id: dead[0]?.id, now: NOW + 300 })).toBe(1)
    expect(await claim(10, NOW + 300)).toMatchObject([{ id: dead[0]?.id, attempts: 1 }])
    expect(await requeueDeadLetters(db(), { now: NOW + 400 })).toBe(2)
    expect(await requeueDeadLetters(db(), { id: 'unknown', now: NOW })).toBe(0)
  })

  test('a finished effect is deleted after its retention and not before', async () => {
    await queue(1)
    const [effect] = await claim()
    await markEffectsDone(db(), [effect?.id ?? ''], NOW)
    await markEffectsDone(db(), [], NOW)
    await deleteFinishedEffects(db(), NOW)
    expect(await db().selectFrom('outbox').select('id').execute()).toHaveLength(1)
    await deleteFinishedEffects(db(), NOW + 1)
    expect(await db().selectFrom('outbox').select('id').execute()).toEqual([])
  })

  test('its health reports how long the oldest has been waiting and the number of dead letters', async () => {
    expect(await outboxHealth(db(), NOW)).toEqual({ waitingMs: 0, dead: 0 })
    await queue(3)
    const [first] = await claim(1)
    await deadLetter(db(), { id: first?.id ?? '', error: 'x', now: NOW })
    await addToOutbox(db(), { effect: TEST, payload: {}, dueAt: NOW + 900_000 }, NOW)
    expect(await outboxHealth(db(), NOW + 5_001)).toEqual({ waitingMs: 5_000, dead: 1 })
  })
})

describe('workers', () => {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }

  function worker(handler: EffectHandler, clock = { now: () => NOW + 1_000, close() {} }) {
    const given: [string, boolean][] = []
    const outbox = startOutbox({
      db: db(),
      clock,
      log: quiet,
      handlers: { test: handler },
      polling: false,
      onDead: async ({ kind }, refused) => void given.push([kind, refused]),
    })
    return { outbox, given }
  }

  test('several workers run each effect once', async () => {
    await queue(50)
    const ran: string[] = []
    const workers = Array.from({ length: 4 }, () => worker(async (_payload, { id }) => void ran.push(id)))
    await Promise.all(workers.map(({ outbox }) => outbox.drain()))
    expect(ran).toHaveLength(50)
    expect(new Set(ran).size).toBe(50)
  })

  test('a failure is retried, with increasing delays, until it succeeds', async () => {
    await queue(1)
    let now = NOW
    let calls = 0
    const { outbox } = worker(
      async () => {
        if (++calls < 4) throw new Error('away')
      },
      { now: () => now, close() {} },
    )
    const tried: number[] = []
    for (let second = 0; second <= 60; second++) {
      now = NOW + second * 1_000
      const before = calls
      await outbox.drain()
      if (calls > before) tried.push(second)
    }
    expect(tried).toEqual([0, 5, 15, 35])
    expect(await outboxHealth(db(), now)).toEqual({ waitingMs: 0, dead: 0 })
  })

  test('a permanent failure or a missing handler gives up immediately; others continue', async () => {
    await queue(1)
    await queue(1, 'of-a-newer-release')
    const { outbox, given } = worker(async () => {
      throw new PermanentFailure('no such address')
    })
    await outbox.drain()
    expect(given.sort()).toEqual([
      ['of-a-newer-release', true],
      ['test', true],
    ])
  })

  test('a stored error contains no address', async () => {
    await queue(1)
    const { outbox } = worker(async () => {
      throw new Error('mailbox of ana.rao@example.com is full')
    })
    await outbox.drain()
    const { lastError: error } = await db().selectFrom('outbox').select('lastError').executeTakeFirstOrThrow()
    expect(error).toBe('mailbox of <address> is full')
  })

  test('stopping waits for effects in flight', async () => {
    await queue(1)
    let finish: () => void = () => {}
    let isDone = false
    const { outbox } = worker(async () => {
      await new Promise<void>((resolve) => (finish = resolve))
      isDone = true
    })
    outbox.wake()
    await expect
      .poll(async () => (await db().selectFrom('outbox').select('attempts').executeTakeFirstOrThrow()).attempts)
      .toBe(1)
    const stopped = outbox.stop()
    finish()
    await stopped
    expect(isDone).toBe(true)
    expect((await db().selectFrom('outbox').select('doneAt').executeTakeFirstOrThrow()).doneAt).not.toBeNull()
  })
})

test('emails about a person are found by subject or recipient, other effects are not', async () => {
  const email = (name: string, recipient?: 'to') =>
    defineEmail({
      kind: `email.${name}`,
      name,
      payload: z.object({ about: z.string(), to: z.string() }),
      subject: 'about',
      ...(recipient && { recipient }),
      priority: 'personal',
      samples: () => ({}),
      compose: async () => null,
    })
  const payload = { about: 'a_b@example.org', to: 'officer' }
  await addToOutbox(db(), { effect: email('one'), payload }, NOW)
  await addToOutbox(db(), { effect: email('two', 'to'), payload }, NOW + 1)
  await addToOutbox(db(), { effect: email('three'), payload: { ...payload, about: 'axb@example.org' } }, NOW)
  await addToOutbox(db(), { effect: testEffect('stripe.note'), payload }, NOW)
  const kindsAbout = async (value: string) => (await listEmailsAbout(db(), [value])).map(({ kind }) => kind)
  expect(await kindsAbout('a_b@example.org')).toEqual(['email.two', 'email.one'])
  expect(await kindsAbout('officer')).toEqual(['email.two'])

  const [{ id } = { id: '' }] = await listEmailsAbout(db(), ['officer'])
  await requeueCopy(db(), id, NOW + 2)
  expect(await kindsAbout('officer')).toEqual(['email.two', 'email.two'])
})
