import { expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { findSubjectsByName, MOST_NAMED } from './audit-subjects.repository.ts'

const database = useTestDatabase()

test('finds subjects by a part of their names, in any case, and the newest of very many', async () => {
  const people = Array.from({ length: MOST_NAMED + 1 }, (_, number) => ({
    id: `s${number}`,
    email: `Reader${number}@example.com`,
    emailKey: `reader${number}@example.com`,
    state: 'subscribed' as const,
    source: 'homepage',
    askedAt: NOW + number,
    hardBounces: 0,
    softBounces: 0,
  }))
  await database().insertInto('subscriber').values(people).execute()
  const search = (text: string) => findSubjectsByName(database(), text)
  expect(await search('READER7@')).toEqual({ ids: ['s7'], eventIds: [] })
  const { ids } = await search('@example.com')
  expect(ids).toHaveLength(MOST_NAMED)
  expect(ids[0]).toBe(`s${MOST_NAMED}`)
  expect(ids).not.toContain('s0')
  expect(await search('no one')).toEqual({ ids: [], eventIds: [] })
})
