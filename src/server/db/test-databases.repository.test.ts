import { storeRecord } from '#tests/support/content/stored-records.ts'
import { expect, test } from 'vitest'
import { openPreparedDatabase } from '#tests/support/prepared-database.ts'
import type { Database } from './database.ts'

const open = () => openPreparedDatabase({ filling: 'words' })
const write = async ({ db }: Database, key: string) => {
  await storeRecord(db, { kind: key }, 1)
}
const isWritten = async ({ db }: Database, key: string) =>
  (await db.selectFrom('contentRecord').select('id').where('kind', '=', key).execute()).length > 0

test('concurrent test databases are isolated from each other and from earlier ones', async () => {
  const [one, other] = [await open(), await open()]
  await write(one, 'of one')
  expect(await isWritten(other, 'of one')).toBe(false)
  await write(other, 'of the other')
  expect(await isWritten(one, 'of the other')).toBe(false)
  await one.close()
  const next = await open()
  expect(await isWritten(next, 'of one')).toBe(false)
  expect(await isWritten(other, 'of the other')).toBe(true)
  await next.close()
  await other.close()
})
