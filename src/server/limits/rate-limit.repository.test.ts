import { expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { countHit, deleteEndedWindows, readHits } from './rate-limit.repository.ts'

const db = useTestDatabase()

test('a hundred concurrent hits are counted as a hundred, each with its own number', async () => {
  const counts = await Promise.all(Array.from({ length: 100 }, () => countHit(db(), 'key', 60_000, NOW)))
  expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 1),
  )
})

test('keys are counted separately', async () => {
  await countHit(db(), 'one', 60_000, NOW)
  expect(await countHit(db(), 'two', 60_000, NOW)).toEqual({ count: 1, endsAt: NOW + 60_000 })
})

test('a window ends on time and the next starts with the next hit', async () => {
  await countHit(db(), 'key', 60_000, NOW)
  expect(await countHit(db(), 'key', 60_000, NOW + 59_999)).toEqual({ count: 2, endsAt: NOW + 60_000 })
  expect(await countHit(db(), 'key', 60_000, NOW + 60_000)).toEqual({ count: 1, endsAt: NOW + 120_000 })
})

test('of fifty hits after a window ended, one starts the next and all are counted', async () => {
  await countHit(db(), 'key', 60_000, NOW)
  const counts = await Promise.all(Array.from({ length: 50 }, () => countHit(db(), 'key', 60_000, NOW + 60_000)))
  expect(Math.max(...counts.map(({ count }) => count))).toBe(50)
})

test('peeking does not count', async () => {
  expect(await readHits(db(), 'key', NOW)).toEqual({ count: 0, endsAt: NOW })
  await countHit(db(), 'key', 60_000, NOW)
  for (let look = 0; look < 3; look++)
    expect(await readHits(db(), 'key', NOW)).toEqual({ count: 1, endsAt: NOW + 60_000 })
  expect(await readHits(db(), 'key', NOW + 60_000)).toMatchObject({ count: 0 })
})

test('ended windows are deleted, current ones kept', async () => {
  await countHit(db(), 'ended', 1_000, NOW)
  await countHit(db(), 'running', 60_000, NOW)
  await deleteEndedWindows(db(), NOW + 2_000)
  expect((await db().selectFrom('rateLimit').select('key').execute()).map(({ key }) => key)).toEqual(['running'])
})
