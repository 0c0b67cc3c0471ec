import { openDatabase } from '#server/db/open-database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'

// Helper program of T50: migrates a database, reports each step, and pauses between them, so that a kill hits the middle.
const REST_MS = 15
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const rest = () => new Promise((resolve) => setTimeout(resolve, REST_MS))

for (const [name, { up }] of Object.entries(migrations)) {
  migrations[name] = {
    async up(db, engine, now) {
      process.stdout.write(`begins ${name}\n`)
      await rest()
      await up(db, engine, now)
      await rest()
    },
  }
}
const database = openDatabase(process.env['DATABASE_URL'] ?? '', quiet)
await migrate(database, Date.now())
process.stdout.write('done\n')
await database.close()
