import { expect, test } from 'vitest'
import { forEachCollectingErrors } from './for-each-collecting-errors.ts'

const name = (number: number) => `number ${number}`

test('each item runs although others fail, and the error names the first failure and counts the rest', async () => {
  const done: number[] = []
  const all = forEachCollectingErrors([1, 2, 3, 4, 5], name, async (number) => {
    if (number % 2 === 0) throw new Error('even')
    done.push(number)
  })
  await expect(all).rejects.toThrow('number 2: even (and 1 more)')
  expect(done).toEqual([1, 3, 5])
})

test('without a failure nothing is thrown, for every kind of iterable', async () => {
  async function* later() {
    yield 1
    yield 2
  }
  const done: number[] = []
  await forEachCollectingErrors(later(), name, async (number) => done.push(number))
  await forEachCollectingErrors([], name, async (number) => done.push(number))
  expect(done).toEqual([1, 2])
})

test('when the database is unavailable it stops', async () => {
  let tried = 0
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  await expect(
    forEachCollectingErrors([1, 2, 3], name, async () => {
      tried++
      throw away
    }),
  ).rejects.toBe(away)
  expect(tried).toBe(1)
})
