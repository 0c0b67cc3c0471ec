import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from '#tests/trust/random.ts'
import { buildSite } from '#tools/build.ts'
import { describeMachine, listen, readCommit } from './machine.ts'
import { writeReport, type Outcome } from './report.ts'
import type { BenchContext, BenchRow, Finding, Table } from './row.ts'
import { row as rendering } from './rows/restart.ts'
import { row as archive } from './rows/archive.ts'
import { row as clone } from './rows/clone.ts'
import { row as directorySearch } from './rows/directory.ts'
import { row as firstRows } from './rows/first-rows.ts'
import { row as home } from './rows/home.ts'
import { row as interactions } from './rows/interactions.ts'
import { row as levels } from './rows/levels.ts'
import { row as lighthouse } from './rows/lighthouse.ts'
import { row as lists } from './rows/lists.ts'
import { row as logIns } from './rows/log-ins.ts'
import { row as mailing } from './rows/mailing.ts'
import { row as memberNotice } from './rows/member-notice.ts'
import { row as move } from './rows/move.ts'
import { row as national } from './rows/national.ts'
import { row as start } from './rows/start.ts'
import { row as weight } from './rows/weight.ts'
import { createBenchSite } from './site.ts'
import { isReached, showGoal, showReached } from './statistics.ts'

/** In the order of the report. */
const ROWS: BenchRow[] = [
  home,
  levels,
  archive,
  lists,
  firstRows,
  directorySearch,
  rendering,
  start,
  weight,
  lighthouse,
  interactions,
  logIns,
  mailing,
  memberNotice,
  move,
  national,
  clone,
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fast: { type: 'boolean' }, seed: { type: 'string' }, 'npm-test': { type: 'boolean' } },
})
const fast = values.fast ?? false
const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed)
if (!Number.isInteger(seed)) throw new Error('--seed takes a whole number')

const rows = chosenRows(positionals)
const startedAt = performance.now()
const machine = describeMachine()
const commit = readCommit()
const { directory } = await buildSite({ log: say })
let failures = 0
for (const row of rows) {
  say(`\n${row.title} (${row.name})`)
  const outcome = await measure(row)
  for (const finding of outcome.findings) tell(finding)
  for (const note of outcome.notes ?? []) say(`        ${note}`)
  for (const table of outcome.tables ?? []) say(`\n${inColumns(table.lines)}`)
  failures += outcome.findings.filter((finding) => !isReached(finding)).length
  // Written after each row, so that an interrupted run keeps its measurements.
  if (!fast)
    writeReport(
      [outcome],
      ROWS.map(({ name }) => name),
    )
}
say(
  `\n${failures === 0 ? 'All figures reached' : `${failures} figures not reached`}, ${secondsSince(startedAt)} s, seed ${seed}`,
)
process.exit(failures === 0 ? 0 : 1)

function chosenRows(names: readonly string[]): BenchRow[] {
  const unknown = names.filter((name) => !ROWS.some((row) => row.name === name))
  if (unknown.length > 0) {
    throw new Error(`There is no row ${unknown.join(', ')}. There are: ${ROWS.map(({ name }) => name).join(', ')}`)
  }
  if (names.length > 0) return ROWS.filter(({ name }) => names.includes(name))
  return ROWS.filter(({ slow }) => !fast || !slow)
}

async function measure(row: BenchRow): Promise<Outcome> {
  const noise = await listen()
  const cleaning: (() => Promise<void> | void)[] = []
  const afterwards = (clean: () => Promise<void> | void): void => void cleaning.unshift(clean)
  const context: BenchContext = {
    fast,
    random: new Random(seed, row.name),
    count: (full, small) => (fast ? small : full),
    withTests: values['npm-test'] ?? false,
    buildDirectory: directory,
    async site(options = {}) {
      const site = await createBenchSite(directory, options)
      afterwards(() => site.close())
      await site.startStandins()
      await site.start()
      return site
    },
    temporaryFolder() {
      const folder = mkdtempSync(join(tmpdir(), 'association-bench-'))
      afterwards(() => rmSync(folder, { recursive: true, force: true }))
      return folder
    },
    afterwards,
  }
  const rowStartedAt = performance.now()
  const result = await row.run(context).catch((error: unknown) => {
    const reason = (error as Error).stack ?? String(error)
    process.stderr.write(`${reason}\n`)
    const failed: Finding = {
      what: row.title,
      goal: { is: 'at least', value: 1 },
      unit: 'run',
      digits: 0,
      rounds: [],
      missing: `the row did not come to an end: ${reason.split('\n')[0]}`,
    }
    return { findings: [failed] }
  })
  for (const clean of cleaning) await clean()
  const seconds = (performance.now() - rowStartedAt) / 1_000
  const at = new Date().toISOString()
  return { ...result, name: row.name, title: row.title, at, commit, machine, seed, seconds, noise }
}

function tell(finding: Finding): void {
  const mark = finding.rounds.length === 0 ? '----' : isReached(finding) ? 'pass' : 'FAIL'
  say(`  ${mark}  ${finding.what}: ${showReached(finding)}; ${showGoal(finding.goal, finding.unit)}`)
}

function inColumns(lines: Table['lines']): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => String(line[column]).length)))
  return lines
    .map((line) => line.map((cell, column) => pad(String(cell), widths[column] ?? 0, column)).join('  '))
    .join('\n')
}

/** Names are left-aligned, figures right-aligned. */
function pad(text: string, width: number, column: number): string {
  return column === 0 ? `  ${text.padEnd(width)}` : text.padStart(width)
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}

function secondsSince(then: number): number {
  return Math.round((performance.now() - then) / 1_000)
}
