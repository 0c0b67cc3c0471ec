import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { TREE } from './faults/processes.ts'
import type { Measured, TrustRow } from './row.ts'

export interface Outcome {
  row: TrustRow
  measured: Measured
  seed: number
  seconds: number
  /** Such as `PostgreSQL, 2 instances`; empty when no site was started. */
  setting: string
}

const FILE = resolve(import.meta.dirname, '..', '..', 'docs', 'trust.md')
const COLUMNS = [
  'Row',
  'Gate',
  'Promise',
  'Figure to reach',
  'Figure reached',
  'Passed',
  'On',
  'Date',
  'Commit',
  'Seed',
  'Seconds',
  'Repeat',
]

const HEAD = `# Trust: what was measured

Written by \`npm run trust\`; never edited by hand. The program of each row, with its promise and target, is in
\`tests/trust/rows/\`. \`npm run trust\` runs all rows except T51, which takes two hours, and T72, which installs a whole Debian: they run only when named; \`npm run trust -- T01 T04\` runs those two, \`npm run trust -- T01 --seed 7\` uses another seed. With
\`TEST_DATABASE_URL\` set the site runs on that PostgreSQL server, otherwise on one SQLite file. A \`+\` after a commit means uncommitted changes; a commit in brackets is not in this history, for example after a rebase.
`

/** Writes each outcome into its table line and leaves the other lines unchanged. */
export function writeReport(outcomes: readonly Outcome[]): void {
  const lines = existsSync(FILE) ? readLines(readFileSync(FILE, 'utf8')) : new Map<string, string>()
  for (const outcome of outcomes) lines.set(outcome.row.id, toLine(outcome))
  const sorted = [...lines]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([, line]) => inHistory(line))
  const table = [`| ${COLUMNS.join(' | ')} |`, `|${COLUMNS.map(() => '---').join('|')}|`, ...sorted]
  writeFileSync(FILE, `${HEAD}\n${table.join('\n')}\n`)
}

/** The duration of each row in its last run, in seconds by its id. */
export function lastSeconds(): Map<string, number> {
  const lines = existsSync(FILE) ? readLines(readFileSync(FILE, 'utf8')) : new Map<string, string>()
  // Counted from the end: the result may contain bars.
  return new Map([...lines].map(([id, line]) => [id, Number(line.split('|').at(-3))]))
}

function readLines(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => /^\| T\d+ \|/.test(line))
  return new Map(lines.map((line) => [line.split('|')[1]?.trim() ?? '', line]))
}

function toLine({ row, measured, seed, seconds, setting }: Outcome): string {
  const { id, gate, promise, target } = row
  const reached = measured.notes ? `${measured.reached}. ${measured.notes}` : measured.reached
  const cells = [
    id,
    gate ? 'gate' : '',
    promise,
    target,
    reached,
    measured.passed ? 'yes' : '**no**',
    setting,
    new Date().toISOString().slice(0, 10),
    commit(),
    String(seed),
    String(Math.round(seconds)),
    `\`npm run trust -- ${id} --seed ${seed}\``,
  ]
  return `| ${cells.map(inCell).join(' | ')} |`
}

function inCell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()
}

/** Puts the commit in brackets when it is not in this history. */
function inHistory(line: string): string {
  const cells = line.split('|')
  const commit = /[0-9a-f]{7,40}/.exec(cells.at(-5) ?? '')?.[0]
  if (commit === undefined || hasCommit(commit)) return line
  cells[cells.length - 5] = ` (${commit}) `
  return cells.join('|')
}

const looked = new Map<string, boolean>()

function hasCommit(commit: string): boolean {
  const known = looked.get(commit)
  if (known !== undefined) return known
  const { status } = spawnSync('git', ['merge-base', '--is-ancestor', commit, 'HEAD'], { cwd: TREE })
  looked.set(commit, status === 0)
  return status === 0
}

let known: string | null = null

function commit(): string {
  known ??= readCommit()
  return known
}

function readCommit(): string {
  try {
    const git = (...words: string[]) => execFileSync('git', words, { cwd: TREE, encoding: 'utf8' }).trim()
    // Files that this program writes do not count as changes.
    const changed = git('status', '--porcelain', '--', '.', ':!docs/trust.md') !== ''
    return git('rev-parse', '--short', 'HEAD') + (changed ? '+' : '')
  } catch {
    return 'none'
  }
}
