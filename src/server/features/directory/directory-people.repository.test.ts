import { beforeEach, describe, expect, test } from 'vitest'
import type { RecordAudience } from '#contract/member-record/record-fields.ts'
import type { RecordValue } from '#contract/member-record/record-values.ts'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { deleteFromDirectory, refreshDirectoryWords } from '#server/features/member-record/directory-words.commands.ts'
import { soughtWords } from '#server/features/member-record/directory-words.rules.ts'
import { saveEntry } from '#server/features/member-record/record-value.commands.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { saveListing } from './directory-listing.commands.ts'
import { isAnyoneListed, listPeople, type Directory } from './directory-people.queries.ts'

const db = useTestDatabase()
const members: Directory = { kind: 'members', now: NOW, graceMs: 0 }
const FIELDS = [
  { key: 'city', levels: [] },
  { key: 'program', levels: ['resident'] },
]

async function person(
  id: string,
  name: string,
  values: Record<string, RecordValue> = {},
  { audience = 'members', levelKey = 'annual' }: { audience?: RecordAudience; levelKey?: string } = {},
): Promise<void> {
  const [firstName = '', lastName = ''] = name.split(' ')
  const account = {
    id,
    username: id,
    email: `${id}@example.org`,
    passwordHash: '',
    firstName,
    lastName,
    createdAt: NOW,
  }
  await createAccount(db(), account, NOW)
  const nothing = {
    stripeSubscriptionId: null,
    stripeStatus: null,
    pastDueSince: null,
    nextAttemptAt: null,
    gaveUpAt: null,
  }
  const more = { renewalAmount: null, endedAt: null, isCurrent: 1 as const, updatedAt: NOW, cancelAtPeriodEnd: 0 }
  const term = { kind: 'RECURRING' as const, startedAt: NOW, endsAt: NOW + 1 }
  await db()
    .insertInto('membership')
    .values({ id: `m-${id}`, accountId: id, levelKey, ...term, ...nothing, ...more })
    .execute()
  for (const [fieldKey, value] of Object.entries(values))
    await saveEntry(db(), {
      accountId: id,
      fieldKey,
      value,
      audience,
      changedAt: NOW,
      changedBy: 'owner',
      confirmedOn: null,
    })
  await saveListing(db(), id, { inMembers: 1, inPublic: 0, takesMessages: 1 }, NOW)
}

async function find(q: string, filters: { fieldKey: string; value: string }[] = []): Promise<string[]> {
  const search = { words: soughtWords(q), filters, fields: FIELDS }
  return (await listPeople(db(), members, search, { limit: 20, offset: 0 })).map(({ accountId }) => accountId)
}

beforeEach(async () => {
  await person('kala', 'Kalá Aggarwal', { city: 'Mâcon' })
  await person('ravi', 'Ravi Agrawal', { city: 'Athens', program: 'Emory' }, { levelKey: 'resident' })
  await person('meera', 'Meera Chowdhury', { city: 'Macon', program: 'Emory' })
  await person('private', 'Nila Rao', { city: 'Macon' }, { audience: 'officers' })
})

describe('a search', () => {
  test.each<[string, string[]]>([
    ['', ['kala', 'ravi', 'meera', 'private']],
    ['KALA', ['kala']],
    ['agrawal', ['kala', 'ravi']],
    ['choudhary', ['meera']],
    ['macon', ['kala', 'meera']],
    ['mac ag', ['kala']],
    ['emory', ['ravi']],
    ['unknown', []],
    ['%', ['kala', 'ravi', 'meera', 'private']],
    ['macon %_', ['kala', 'meera']],
  ])('for %j finds %j', async (q, ids) => expect(await find(q)).toEqual(ids))

  test('a filter takes whole values of fields that members see', async () => {
    expect(await find('', [{ fieldKey: 'city', value: 'macon' }])).toEqual(['kala', 'meera'])
    expect(await find('', [{ fieldKey: 'city', value: 'mac' }])).toEqual([])
    expect(await find('', [{ fieldKey: 'phone', value: 'macon' }])).toEqual([])
  })
})

test('who ended since is not found, whatever is stored', async () => {
  const later: Directory = { ...members, now: NOW + 1 }
  expect(await isAnyoneListed(db(), members)).toBe(true)
  expect(await isAnyoneListed(db(), later)).toBe(false)
})

test('deleting leaves no word, and no spelling that no one else has', async () => {
  await deleteFromDirectory(db(), 'kala')
  expect(await db().selectFrom('directoryWord').selectAll().where('accountId', '=', 'kala').execute()).toEqual([])
  const words = await db().selectFrom('directorySpelling').select('word').distinct().execute()
  const left = words.map(({ word }) => word)
  expect(left).not.toContain('aggarwal')
  expect(left).toContain('macon')
})

test('refreshing twice changes nothing', async () => {
  const all = () => db().selectFrom('directoryWord').selectAll().orderBy('word').orderBy('accountId').execute()
  const before = await all()
  await refreshDirectoryWords(db(), 'kala')
  expect(await all()).toEqual(before)
})
