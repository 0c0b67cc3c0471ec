import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDatabase } from '#tests/trust/database.ts'
import { addDeliveries } from '../deliveries.ts'
import { addMembers } from '../members.ts'
import { bareEnvironment, Program, ROOT } from '../programs.ts'
import type { BenchRow, Finding } from '../row.ts'
import { number } from '../statistics.ts'

const MEMBERS = 100_000
const DELIVERIES = 1_000_000
const LOOK_EVERY_MS = 50
const MOST_MEMORY_MB = 400
/** Heap limit in MB: far below the amount of data, so a copy whose memory grows with it would crash. */
const ROOM_MB = 128
/** Long enough for the first one to start. */
const SECOND_AFTER_MS = 3_000

interface Moved {
  said: string
  hasMoved: boolean
  rows: number
  seconds: number
  /** MB. */
  peak: number
  checksums: string
}

export const row: BenchRow = {
  name: 'move',
  title: 'A large site to PostgreSQL and back',
  slow: true,
  async run(context) {
    const folder = context.temporaryFolder()
    const own = await makeDatabase(folder)
    context.afterwards(() => own.remove())
    if (own.engine !== 'PostgreSQL') return { findings: [missing('TEST_DATABASE_URL names no PostgreSQL server')] }
    const members = context.count(MEMBERS, 1_000)
    const deliveries = context.count(DELIVERIES, 10_000)
    const source = `sqlite:${join(folder, 'source.db')}`
    const back = `sqlite:${join(folder, 'back.db')}`
    await run(folder, source, 'migrate')
    await addMembers(source, members, context.random)
    await addDeliveries(source, deliveries, context.random)

    const moving = move(folder, source, own.url)
    await sleep(context.fast ? 0 : SECOND_AFTER_MS)
    const [there, second] = await Promise.all([moving, move(folder, source, own.url)])
    const returned = await move(folder, own.url, back)
    const moves = [there, second].filter(({ hasMoved }) => hasMoved)
    const first = moves[0] ?? there
    if (!first.hasMoved || !returned.hasMoved) throw new Error(`${first.said}\n${returned.said}`)
    return {
      findings: [
        atMost('SQLite to PostgreSQL', first.seconds, 600, 's'),
        atMost('Peak memory of it', first.peak, MOST_MEMORY_MB, 'MB'),
        atMost('PostgreSQL to SQLite', returned.seconds, 600, 's'),
        atMost('Peak memory of it, back', returned.peak, MOST_MEMORY_MB, 'MB'),
        atMost('Tables whose checksums differ after both ways', first.checksums === returned.checksums ? 0 : 1, 0, ''),
        atMost('Of two moves at once: those that went through beside the other', moves.length - 1, 0, ''),
      ],
      notes: [
        `${number(first.rows, 0)} rows, among them ${number(members, 0)} members with what belongs to them and ${number(deliveries, 0)} deliveries: ` +
          `${number(first.rows / first.seconds, 0)} rows/s there, ${number(returned.rows / returned.seconds, 0)} rows/s back, each counted and compared. By \`npm run admin -- move\`, the server on the same two cores.`,
        `The design sets no figure for it: ten minutes and ${MOST_MEMORY_MB} MB are what a webmaster with a small server can live with. The command gets ${ROOM_MB} MB for objects: were its memory not flat, it would not come to its end.`,
      ],
    }
  },
}

function atMost(what: string, value: number, most: number, unit: string): Finding {
  return { what, goal: { is: 'at most', value: most }, unit, digits: 0, rounds: [value] }
}

function missing(why: string): Finding {
  return { ...atMost('SQLite to PostgreSQL', 0, 600, 's'), rounds: [], missing: why }
}

async function move(folder: string, from: string, to: string): Promise<Moved> {
  const startedAt = performance.now()
  const { said, peak } = await run(folder, from, 'move', '--to', to)
  const lines = [...said.matchAll(/^(\w+) +([\d,]+) rows {2}checksum (\w+)$/gm)]
  return {
    said,
    hasMoved: said.includes('each counted and compared'),
    rows: lines.reduce((sum, [, , rows = '']) => sum + Number(rows.replaceAll(',', '')), 0),
    seconds: (performance.now() - startedAt) / 1_000,
    peak,
    checksums: lines
      .map(([line]) => line)
      .sort()
      .join('\n'),
  }
}

let runs = 0

async function run(folder: string, databaseUrl: string, ...words: string[]): Promise<{ said: string; peak: number }> {
  const log = join(folder, `admin-${++runs}.log`)
  const program = new Program(
    process.execPath,
    [`--max-old-space-size=${ROOM_MB}`, join(ROOT, 'src/server/admin.ts'), ...words],
    log,
    // Nothing listens there: the samples have no subscriptions.
    {
      env: bareEnvironment({
        DATA_DIR: folder,
        DATABASE_URL: databaseUrl,
        STANDINS_URL: 'http://127.0.0.1:9',
        SAMPLES: 'few',
      }),
    },
  )
  let peak = 0
  while (!program.hasEnded) {
    // The last memory sample before the process exits; after that there is none.
    peak = Math.max(peak, program.memory()?.peak || 0)
    await sleep(LOOK_EVERY_MS)
  }
  return { said: readFileSync(log, 'utf8'), peak }
}
