import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Part of the name of every PostgreSQL schema that this run creates. */
    testRun: string
  }
}

/** Drops the schemas that the tests of a run reused. */
export default function setUp(project: TestProject): () => Promise<void> {
  const run = randomBytes(4).toString('hex')
  project.provide('testRun', run)
  return async function tearDown() {
    const url = process.env['TEST_DATABASE_URL']
    if (!url) return
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      'select nspname as name from pg_namespace where starts_with(nspname, $1)',
      [`test_${run}_`],
    )
    // One at a time: a server limits the locks of a transaction.
    for (const { name } of rows) await client.query(`drop schema ${name} cascade`)
    await client.end()
  }
}
