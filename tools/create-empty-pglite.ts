import { renameSync, writeFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

// A worker thread of `postgres-schemas.setup.ts`: tests on other engines run meanwhile.
const { file } = workerData as { file: string }
const pglite = await PGlite.create()
const image = await pglite.dumpDataDir('none')
writeFileSync(`${file}.part`, await image.bytes())
renameSync(`${file}.part`, file)
await pglite.close()
