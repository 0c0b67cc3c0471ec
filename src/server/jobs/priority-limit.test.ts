import { expect, test } from 'vitest'
import { PRIORITIES, type Priority } from './effect-priorities.ts'
import { createPriorityTurns } from './priority-turns.ts'

const { security, personal, reminder, bulk } = PRIORITIES

/** Work that goes on until it is ended, with the order in which it began. */
function workshop(shares: readonly [number, number, number, number]) {
  const inTurn = createPriorityTurns(shares)
  const began: Priority[] = []
  const ends: (() => void)[] = []
  const add = (priority: Priority) =>
    inTurn(priority, async () => {
      began.push(priority)
      await new Promise<void>((end) => ends.push(end))
    })
  const endOne = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { inTurn, began, add, endOne }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('bulk work never takes every place: what is urgent begins at once beside it', async () => {
  const { began, add } = workshop([4, 3, 3, 2])
  for (let count = 0; count < 10; count++) void add(bulk)
  await settled()
  expect(began).toEqual([bulk, bulk])
  void add(personal)
  void add(personal)
  void add(security)
  await settled()
  expect(began).toEqual([bulk, bulk, personal, security])
})

test('the most urgent of those that wait begins next, and each priority keeps its order', async () => {
  const { began, add, endOne } = workshop([1, 1, 1, 1])
  for (const priority of [bulk, reminder, personal, security, bulk, personal]) void add(priority)
  for (let count = 0; count < 6; count++) await endOne()
  expect(began).toEqual([bulk, security, personal, personal, reminder, bulk])
})

test('work that fails gives its place back', async () => {
  const { inTurn } = workshop([1, 1, 1, 1])
  await expect(inTurn(bulk, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(await inTurn(security, async () => 'sent')).toBe('sent')
})
