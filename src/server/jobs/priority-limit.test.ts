import { expect, test } from 'vitest'
import { PRIORITIES, type Priority } from './effect-priorities.ts'
import { createPriorityLimit } from './priority-limit.ts'

const { security, personal, reminder, bulk } = PRIORITIES

/** Tasks that run until ended, and the order in which they started. */
function setUp(shares: readonly [number, number, number, number]) {
  const limited = createPriorityLimit(shares)
  const began: Priority[] = []
  const ends: (() => void)[] = []
  const add = (priority: Priority) =>
    limited(priority, async () => {
      began.push(priority)
      await new Promise<void>((end) => ends.push(end))
    })
  const endOne = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { limited, began, add, endOne }
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))

test('bulk work never takes every slot: urgent work starts immediately beside it', async () => {
  const { began, add } = setUp([4, 3, 3, 2])
  for (let count = 0; count < 10; count++) void add(bulk)
  await nextTick()
  expect(began).toEqual([bulk, bulk])
  void add(personal)
  void add(personal)
  void add(security)
  await nextTick()
  expect(began).toEqual([bulk, bulk, personal, security])
})

test('the most urgent waiting work starts next, and each priority keeps its order', async () => {
  const { began, add, endOne } = setUp([1, 1, 1, 1])
  for (const priority of [bulk, reminder, personal, security, bulk, personal]) void add(priority)
  for (let count = 0; count < 6; count++) await endOne()
  expect(began).toEqual([bulk, security, personal, personal, reminder, bulk])
})

test('failed work frees its slot', async () => {
  const { limited } = setUp([1, 1, 1, 1])
  await expect(limited(bulk, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(await limited(security, async () => 'sent')).toBe('sent')
})
