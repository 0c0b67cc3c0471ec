import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

/** A task that ends on request. */
function createTask(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const run = () => {
    log.push(name)
    return promise
  }
  return { run, end: () => resolve(name), fail: () => reject(new Error(name)) }
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))

test('runs no more tasks at once than the limit; the rest in order', async () => {
  const begun: string[] = []
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((name) => createTask(begun, name)) as [
    ReturnType<typeof createTask>,
    ReturnType<typeof createTask>,
    ReturnType<typeof createTask>,
    ReturnType<typeof createTask>,
  ]
  const limited = createConcurrencyLimit(2)
  const results = [one, two, three, four].map(({ run }) => limited(run))
  await nextTick()
  expect(begun).toEqual(['one', 'two'])
  two.end()
  await nextTick()
  expect(begun).toEqual(['one', 'two', 'three'])
  for (const { end } of [one, three, four]) end()
  expect(await Promise.all(results)).toEqual(['one', 'two', 'three', 'four'])
})

test('a failed task rejects only itself and frees its slot', async () => {
  const begun: string[] = []
  const [one, two] = [createTask(begun, 'one'), createTask(begun, 'two')]
  const limited = createConcurrencyLimit(1)
  const first = limited(one.run)
  const second = limited(two.run)
  one.fail()
  await expect(first).rejects.toThrow('one')
  two.end()
  expect(await second).toBe('two')
})
