import { expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { confirmEntries, deleteEntriesOf, deleteEntry, saveEntry, saveJoiningRecord } from './record-value.commands.ts'
import { listEntries, listEntriesOf, listMovingIds, type RecordEntry } from './record-value.queries.ts'

const db = useTestDatabase()
const address = { lines: ['12 Pecan Street'], city: 'Macon', region: 'GA', postalCode: '31201', country: '' }

async function save(accountId: string, fieldKey: string, given: Partial<RecordEntry> = {}): Promise<void> {
  const entry = { value: 'Macon', audience: 'officers', changedAt: NOW, changedBy: 'owner', confirmedOn: null } as const
  await saveEntry(db(), { accountId, fieldKey, ...entry, ...given })
}

test('a value of each kind is read back as it was stored; a second one takes its place', async () => {
  const values = { address, choices: ['Hindi', 'Tamil'], number: 1994, line: 'O’Neil “Śrī” \\ %' }
  for (const [key, value] of Object.entries(values)) await save('ana', key, { value })
  await save('ravi', 'line')
  expect((await listEntries(db(), 'ana')).map(({ fieldKey, value }) => [fieldKey, value])).toEqual(
    Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
  const [before] = await listEntries(db(), 'ravi')
  await save('ravi', 'line', { value: 'Augusta', audience: 'members', changedBy: 'mohan', confirmedOn: '2030-06-15' })
  expect(await listEntries(db(), 'ravi')).toEqual([
    { ...before, value: 'Augusta', audience: 'members', changedBy: 'mohan', confirmedOn: '2030-06-15' },
  ])
})

test('of many values saved at once for one field, one is left', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, index) => save('ana', 'city', { value: `City ${index}` })))
  expect(await listEntries(db(), 'ana')).toHaveLength(1)
})

test('the values of many accounts are read together, by account', async () => {
  await save('ana', 'city')
  await save('ana', 'phone')
  await save('ravi', 'city', { value: 'Augusta' })
  const found = await listEntriesOf(db(), ['ana', 'ravi', 'meera'])
  expect([...found].map(([id, entries]) => [id, entries.length]).toSorted()).toEqual([
    ['ana', 2],
    ['ravi', 1],
  ])
})

test('a merge moves only the values that the other account lacks', async () => {
  for (const [id, key] of [
    ['kept', 'city'],
    ['merged', 'city'],
    ['merged', 'phone'],
    ['other', 'phone'],
  ] as const)
    await save(id, key)
  const [, phone] = await listEntries(db(), 'merged')
  expect(await listMovingIds(db(), { from: 'merged', to: 'kept' })).toEqual([phone?.id])
  expect(await listMovingIds(db(), { from: 'kept', to: 'merged' })).toEqual([])
})

test('values are confirmed and deleted for one account alone', async () => {
  for (const id of ['ana', 'ravi']) for (const key of ['city', 'fax', 'phone']) await save(id, key)
  await confirmEntries(db(), { accountId: 'ana', keys: ['city', 'phone'], day: '2030-06-15' })
  await confirmEntries(db(), { accountId: 'ravi', keys: [], day: '2030-06-15' })
  const days = async (id: string) => (await listEntries(db(), id)).map(({ confirmedOn }) => confirmedOn)
  expect(await days('ana')).toEqual(['2030-06-15', null, '2030-06-15'])
  expect(await days('ravi')).toEqual([null, null, null])
  await deleteEntry(db(), { accountId: 'ana', fieldKey: 'fax' })
  expect(await days('ana')).toHaveLength(2)
  await deleteEntriesOf(db(), 'ana')
  expect([await days('ana'), (await days('ravi')).length]).toEqual([[], 3])
})

test('what was entered while joining is for officers, and confirmed on that day', async () => {
  const record = { values: { city: 'Macon', address }, confirmedOn: '2030-06-14' }
  await saveJoiningRecord(db(), { accountId: 'ana', record }, NOW)
  expect(await listEntries(db(), 'ana')).toMatchObject([
    { fieldKey: 'address', value: address, audience: 'officers', changedBy: 'owner', confirmedOn: '2030-06-14' },
    { fieldKey: 'city', value: 'Macon', audience: 'officers' },
  ])
})
