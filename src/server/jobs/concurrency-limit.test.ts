import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

/** Work that ends when it is told to. */
function work(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const run = () => {
    log.push(name)
    return promise
  }
  return { run, end: () => resolve(name), fail: () => reject(new Error(name)) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('no more at once than there are places; the rest in the order they came', async () => {
  const begun: string[] = []
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((name) => work(begun, name)) as [
    ReturnType<typeof work>,
    ReturnType<typeof work>,
    ReturnType<typeof work>,
    ReturnType<typeof work>,
  ]
  const inTurn = createTurns(2)
  const results = [one, two, three, four].map(({ run }) => inTurn(run))
  await settled()
  expect(begun).toEqual(['one', 'two'])
  two.end()
  await settled()
  expect(begun).toEqual(['one', 'two', 'three'])
  for (const { end } of [one, three, four]) end()
  expect(await Promise.all(results)).toEqual(['one', 'two', 'three', 'four'])
})

test('a failure is its own and gives its place away', async () => {
  const begun: string[] = []
  const [one, two] = [work(begun, 'one'), work(begun, 'two')]
  const inTurn = createTurns(1)
  const first = inTurn(one.run)
  const second = inTurn(two.run)
  one.fail()
  await expect(first).rejects.toThrow('one')
  two.end()
  expect(await second).toBe('two')
})
