import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Part of the name of every PostgreSQL schema that this run creates. */
    testRun: string
    /** The file of an empty PGlite, to be loaded as its data directory; it appears shortly after the start. */
    emptyPglite: string
  }
}

/** Creates the PGlite that the test processes copy, since each would need seconds for it, and drops the schemas that the tests of a run reused. */
export default function setUp(project: TestProject): () => Promise<void> {
  const run = randomBytes(4).toString('hex')
  project.provide('testRun', run)
  const directory = mkdtempSync(join(tmpdir(), 'association-pglite-'))
  const file = join(directory, 'empty.tar')
  project.provide('emptyPglite', file)
  const creation =
    project.name === 'pglite'
      ? new Worker(new URL('create-empty-pglite.ts', import.meta.url), { workerData: { file } })
      : null
  return async function tearDown() {
    await creation?.terminate()
    rmSync(directory, { recursive: true, force: true })
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
