import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from './random.ts'
import { lastSeconds, writeReport, type Outcome } from './report.ts'
import type { Measured, TrustContext, TrustRow } from './row.ts'
import { startWorld, type World } from './site.ts'

const ROWS = join(import.meta.dirname, 'rows')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    quick: { type: 'boolean' },
    requests: { type: 'string' },
    minutes: { type: 'string' },
    lanes: { type: 'string' },
  },
})
const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed)
const quick = values.quick ?? false
if (!Number.isInteger(seed)) throw new Error('--seed takes a whole number')

/** Rows run in parallel: each has its own stand-ins, sites, ports and database, and mostly waits. */
const LANES = 2
const lanes = values.lanes === undefined ? LANES : Number(values.lanes)
if (!Number.isInteger(lanes) || lanes < 1) throw new Error('--lanes takes a whole number from 1 on')

const rows = await chosenRows(positionals)
process.stdout.write(`${rows.length} rows, seed ${seed}${quick ? ', quick' : ''}\n`)
const startedAt = performance.now()
const failed: string[] = []
await runSideBySide(rows.filter(({ undisturbed }) => !undisturbed))
await runSideBySide(rows.filter(({ undisturbed, waits }) => undisturbed && waits))
await runEach(rows.filter(({ undisturbed, waits }) => undisturbed && !waits))
const seconds = Math.round((performance.now() - startedAt) / 1_000)
process.stdout.write(
  `${rows.length - failed.length} of ${rows.length} passed in ${seconds} s${failed.length > 0 ? `; not: ${failed.join(', ')}` : ''}\n`,
)
process.exit(failed.length > 0 ? 1 : 0)

/** The longest first, so that no lane waits for another's last row. */
async function runSideBySide(some: readonly TrustRow[]): Promise<void> {
  const took = lastSeconds()
  const left = some.toSorted((a, b) => (took.get(b.id) ?? Infinity) - (took.get(a.id) ?? Infinity))
  await Promise.all(Array.from({ length: lanes }, () => runEach(left)))
}

/** Takes the next row; other workers share the same list. */
async function runEach(left: TrustRow[]): Promise<void> {
  for (let row = left.shift(); row; row = left.shift()) {
    const outcome = await runRow(row)
    print(outcome)
    if (!outcome.measured.passed) failed.push(row.id)
    // Written after each row, so that an interrupted run keeps its results.
    if (!quick) writeReport([outcome])
  }
}

/** The named rows, or all; in a quick run the ones marked quick. */
async function chosenRows(names: readonly string[]): Promise<TrustRow[]> {
  const files = readdirSync(ROWS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const loaded = await Promise.all(
    files.map(async (file) => ((await import(join(ROWS, file))) as { row: TrustRow }).row),
  )
  const all = loaded.sort((one, other) => one.id.localeCompare(other.id))
  const wanted = names.map((name) => name.toUpperCase())
  const unknown = wanted.filter((name) => !all.some(({ id }) => id === name))
  if (unknown.length > 0)
    throw new Error(`There is no row ${unknown.join(', ')}. There are: ${all.map(({ id }) => id).join(', ')}`)
  if (wanted.length > 0) return all.filter(({ id }) => wanted.includes(id))
  return quick ? all.filter((row) => row.quick) : all.filter((row) => !row.alone)
}

async function runRow(row: TrustRow): Promise<Outcome> {
  const worlds: World[] = []
  const settings: string[] = []
  const context: TrustContext = {
    seed,
    random: new Random(seed, row.id),
    quick,
    requests: values.requests === undefined ? null : Number(values.requests),
    ...(values.minutes !== undefined && { minutes: Number(values.minutes) }),
    count: (full, small) => (quick ? small : full),
    async world(options) {
      const world = await startWorld(options)
      worlds.push(world)
      settings.push(`${world.engine}, ${world.sites.length === 1 ? '1 instance' : `${world.sites.length} instances`}`)
      return world
    },
  }
  const rowStartedAt = performance.now()
  let measured: Measured
  try {
    measured = await row.run(context)
  } catch (error) {
    const reason = (error as Error).stack ?? String(error)
    process.stderr.write(`${row.id}: ${reason}\n`)
    measured = { passed: false, reached: `The row did not come to an end: ${reason.split('\n')[0]}` }
  }
  const seconds = (performance.now() - rowStartedAt) / 1_000
  await Promise.all(worlds.map((world) => world.close()))
  return { row, measured, seed, seconds, setting: [...new Set(settings)].join('; ') }
}

function print({ row, measured, seconds }: Outcome): void {
  const { passed, reached, notes } = measured
  process.stdout.write(
    `${passed ? 'pass' : 'FAIL'}  ${row.id}  ${Math.round(seconds)} s  ${reached}${notes ? ` [${notes}]` : ''}\n`,
  )
}
