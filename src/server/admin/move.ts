import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../config/config.ts'
import type { CopiedTable } from '../db/copy-tables.ts'
import type { Database } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/failures.ts'
import { MoveRefused, moveDatabase } from '../db/move-database.ts'
import { openDatabase } from '../db/open-database.ts'
import { isSiteRunning } from '#server/jobs/heartbeat.ts'
import type { Say, ToolsWithoutDatabase } from './tools.ts'

const CHECKSUM_LENGTH = 16
const CHECKING_IN_USE = 'Checking for 15 seconds whether a site is still running ...'

/** `move --to URL`: copies the site's database into an empty one of the other engine. */
export async function move(
  parameters: readonly string[],
  { config, clock, say }: ToolsWithoutDatabase,
): Promise<number> {
  const target = readTarget(parameters)
  if (!target) {
    say('Usage: move --to postgres://USER:PASSWORD@HOST/NAME | move --to sqlite:FILE')
    return 2
  }
  const problem = findProblem(config.databaseUrl, target)
  if (problem) {
    say(problem)
    return 1
  }
  let startedAt = performance.now()
  const opened: Database[] = []
  try {
    const from = openDatabase(config.databaseUrl, console)
    opened.push(from)
    const to = openDatabase(target, console)
    opened.push(to)
    const copied = await moveDatabase({
      from,
      to,
      now: clock.now(),
      async isInUse() {
        const isInUse = await isSiteRunning(from.db, clock, () => say(CHECKING_IN_USE))
        startedAt = performance.now()
        return isInUse
      },
      onTable: (table) => say(formatTable(table)),
    })
    printNextSteps(say, config, { target, copied, seconds: (performance.now() - startedAt) / 1_000 })
    return 0
  } catch (error) {
    if (!(error instanceof MoveRefused) && !isDatabaseUnavailable(error)) throw error
    say(error instanceof MoveRefused ? error.message : describeUnavailable(error))
    say('Nothing was changed.')
    return 1
  } finally {
    for (const database of opened) await database.close()
  }
}

function readTarget(parameters: readonly string[]): string | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: { to: { type: 'string' } },
    })
    const { to = '' } = values
    if (positionals.length > 0 || !/^(sqlite:|postgres(ql)?:\/\/)./.test(to)) return null
    return to.startsWith('sqlite:') ? `sqlite:${resolve(to.slice('sqlite:'.length))}` : to
  } catch {
    return null
  }
}

function findProblem(source: string, target: string): string | null {
  if (source === target) return 'The site already uses that database.'
  const file = /^sqlite:(.*)$/.exec(source)?.[1]
  if (file !== undefined && !existsSync(file)) return `There is no site to move: ${file} does not exist.`
  return null
}

function describeUnavailable(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  if (code?.startsWith('SQLITE_BUSY'))
    return 'The SQLite file is in use by a running site or another command. Stop it first.'
  return `One of the two databases cannot be used: ${message}.`
}

function formatTable({ name, rows, checksum }: CopiedTable): string {
  return `${name.padEnd(22)} ${rows.toLocaleString('en-US').padStart(10)} rows  checksum ${checksum.slice(0, CHECKSUM_LENGTH)}`
}

function printNextSteps(
  say: Say,
  config: Config,
  { target, copied, seconds }: { target: string; copied: readonly CopiedTable[]; seconds: number },
): void {
  const rows = copied.reduce((sum, table) => sum + table.rows, 0)
  const { dataDirectory, sessionSecret, storage } = config
  const secret = join(dataDirectory, 'session-secret')
  say(
    `${copied.length} tables with ${rows.toLocaleString('en-US')} rows copied to ${withoutPassword(target)}, each counted and compared, ` +
      `in ${seconds.toFixed(1)} s (${Math.round(rows / seconds).toLocaleString('en-US')} rows/s).`,
  )
  say('Next:')
  say(`  1. Set DATABASE_URL to the address you passed to --to.`)
  say(
    sessionSecret
      ? '  2. Keep SESSION_SECRET unchanged and the same on every instance. With a different one, everyone is signed out and links in emails no longer work.'
      : `  2. Keep ${secret} with the site, or set SESSION_SECRET to its content, the same on every instance. Without it, everyone is signed out and links in emails no longer work.`,
  )
  say(
    storage
      ? '  3. Pictures stay in object storage.'
      : `  3. Pictures stay in ${join(dataDirectory, 'media')}. Several instances on different machines need them in object storage: see "Several instances" in docs/running.md.`,
  )
  say(
    '  4. Start the site and check /readyz. The old database was not changed: keep it until you are satisfied, and never start a site on it again.',
  )
}

function withoutPassword(target: string): string {
  return target.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@]*@/, '$1:…@')
}
