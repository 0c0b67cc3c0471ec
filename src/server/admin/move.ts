import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../config/config.ts'
import type { CopiedTable } from '../db/copy-tables.ts'
import type { Database } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/failures.ts'
import { MoveRefused, moveDatabase } from '../db/move-database.ts'
import { openDatabase } from '../db/open-database.ts'
import { isSiteRunning } from '../platform/presence.ts'
import type { Say, ToolsWithoutDatabase } from './tools.ts'

const SHORT_CHECKSUM = 16
const LOOKING = 'Looking for a quarter of a minute whether a site still runs ...'

/** `move --to URL`: the site's database, copied into an empty one of the other engine. */
export async function move(
  parameters: readonly string[],
  { config, clock, say }: ToolsWithoutDatabase,
): Promise<number> {
  const target = readTarget(parameters)
  if (!target) {
    say('Say "move --to postgres://USER:PASSWORD@HOST/NAME" or "move --to sqlite:FILE".')
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
        const isInUse = await isSiteRunning(from.db, clock, () => say(LOOKING))
        startedAt = performance.now()
        return isInUse
      },
      onTable: (table) => say(lineOf(table)),
    })
    tellNext(say, config, { target, copied, seconds: (performance.now() - startedAt) / 1_000 })
    return 0
  } catch (error) {
    if (!(error instanceof MoveRefused) && !isDatabaseUnavailable(error)) throw error
    say(error instanceof MoveRefused ? error.message : sayUnavailable(error))
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
  if (source === target) return 'That is the database the site uses already.'
  const file = /^sqlite:(.*)$/.exec(source)?.[1]
  if (file !== undefined && !existsSync(file)) return `There is no site to move: ${file} does not exist.`
  return null
}

function sayUnavailable(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  if (code?.startsWith('SQLITE_BUSY'))
    return 'The SQLite file is in use: a site writes to it, or another command is at work. Stop it first.'
  return `One of the two databases can not be used: ${message}.`
}

function lineOf({ name, rows, checksum }: CopiedTable): string {
  return `${name.padEnd(22)} ${rows.toLocaleString('en-US').padStart(10)} rows  checksum ${checksum.slice(0, SHORT_CHECKSUM)}`
}

function tellNext(
  say: Say,
  config: Config,
  { target, copied, seconds }: { target: string; copied: readonly CopiedTable[]; seconds: number },
): void {
  const rows = copied.reduce((sum, table) => sum + table.rows, 0)
  const { dataDirectory, sessionSecret, storage } = config
  const secret = join(dataDirectory, 'session-secret')
  say(
    `${copied.length} tables with ${rows.toLocaleString('en-US')} rows are in ${withoutPassword(target)}, each counted and compared, ` +
      `in ${seconds.toFixed(1)} s (${Math.round(rows / seconds).toLocaleString('en-US')} rows/s).`,
  )
  say('Next:')
  say(`  1. Set DATABASE_URL to the address you gave after --to.`)
  say(
    sessionSecret
      ? '  2. Keep SESSION_SECRET as it is, the same on every instance: with another one everybody is signed out and links in letters end.'
      : `  2. Keep ${secret} with the site, or set SESSION_SECRET to what it holds, the same on every instance: without it everybody is signed out and links in letters end.`,
  )
  say(
    storage
      ? '  3. Pictures are in object storage and stay there.'
      : `  3. Pictures stay in ${join(dataDirectory, 'media')}. Several instances on different machines need them in object storage: see "Several instances" in docs/running.md.`,
  )
  say(
    '  4. Start the site and look at /readyz. The old database was not changed: keep it until you are content, and never start a site on it again.',
  )
}

function withoutPassword(target: string): string {
  return target.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@]*@/, '$1:…@')
}
