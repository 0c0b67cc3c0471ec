import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase, testEngine } from '#tests/support/test-database.ts'

test.runIf(testEngine === 'postgres')('no connection of the pool compiles queries', async () => {
  const { db, close } = await openTestDatabase()
  const shown = await Promise.all(Array.from({ length: 3 }, () => sql<{ jit: string }>`show jit`.execute(db)))
  expect(shown.flatMap(({ rows }) => rows.map(({ jit }) => jit))).toEqual(['off', 'off', 'off'])
  await close()
})
