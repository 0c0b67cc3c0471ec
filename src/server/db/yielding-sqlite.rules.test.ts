import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { openSqlite } from './open-database.ts'

let database: Database
afterEach(() => database.close())

/** A query that takes some milliseconds. */
const SLOW = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000) select sum(i) from n`

async function countTurnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

test('consecutive statements yield to the event loop', async () => {
  database = openSqlite(':memory:')
  const { db } = database
  const turns = await countTurnsDuring(async () => {
    for (let count = 0; count < 50; count++) await SLOW.execute(db)
  })
  expect(turns).toBeGreaterThan(5)
})

test('so do those of a transaction, which nothing interrupts', async () => {
  database = openSqlite(':memory:')
  const { db } = database
  await sql`create table note (words text)`.execute(db)
  const seen: number[] = []
  const count = async () => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from note`.execute(db)
    seen.push(Number(rows[0]?.n))
  }
  const turns = await countTurnsDuring(async () => {
    const writing = db.transaction().execute(async (tx) => {
      for (let step = 0; step < 50; step++) {
        await sql`insert into note values ('x')`.execute(tx)
        await SLOW.execute(tx)
      }
    })
    await Promise.all([writing, count(), count()])
  })
  expect(turns).toBeGreaterThan(5)
  expect(seen).toEqual([50, 50])
})
