import { expect, test } from 'vitest'
import { eachByItself } from './each-by-itself.ts'

const name = (number: number) => `number ${number}`

test('each is done although others fail, and the failure names the first and counts the rest', async () => {
  const done: number[] = []
  const all = eachByItself([1, 2, 3, 4, 5], name, async (number) => {
    if (number % 2 === 0) throw new Error('even')
    done.push(number)
  })
  await expect(all).rejects.toThrow('number 2: even (and 1 more)')
  expect(done).toEqual([1, 3, 5])
})

test('without a failure nothing is thrown, whatever kind of list it is', async () => {
  async function* later() {
    yield 1
    yield 2
  }
  const done: number[] = []
  await eachByItself(later(), name, async (number) => done.push(number))
  await eachByItself([], name, async (number) => done.push(number))
  expect(done).toEqual([1, 2])
})

test('when the database is away nothing further is tried', async () => {
  let tried = 0
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  await expect(
    eachByItself([1, 2, 3], name, async () => {
      tried++
      throw away
    }),
  ).rejects.toBe(away)
  expect(tried).toBe(1)
})
