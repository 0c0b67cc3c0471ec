import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawChart } from './chart.ts'
import type { Commit, Machine, Noise } from './machine.ts'
import { ROOT } from './programs.ts'
import type { RowResult } from './row.ts'
import { isReached, showGoal, showReached } from './statistics.ts'

/** A measured row, with everything needed to repeat it. */
export interface Outcome extends RowResult {
  name: string
  title: string
  at: string
  commit: Commit
  machine: Machine
  seed: number
  seconds: number
  noise: Noise
}

const FILES = { data: 'bench.json', page: 'bench.md', chart: 'bench.svg' }

/** Replaces earlier outcomes of the same rows and writes the report from all of them, in the order of `names`. */
export function writeReport(outcomes: readonly Outcome[], names: readonly string[]): void {
  const file = join(ROOT, 'docs', FILES.data)
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Outcome[]) : []
  const byName = new Map([...known, ...outcomes].map((outcome) => [outcome.name, outcome]))
  const all = names.flatMap((name) => byName.get(name) ?? [])
  writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`)
  writeFileSync(join(ROOT, 'docs', FILES.chart), drawChart(all.flatMap(({ findings }) => findings)))
  writeFileSync(join(ROOT, 'docs', FILES.page), page(all))
}

function page(outcomes: readonly Outcome[]): string {
  const latest = [...outcomes].sort((a, b) => b.at.localeCompare(a.at))[0]
  if (!latest) throw new Error('Nothing was measured')
  const elsewhere = outcomes.filter((outcome) => describeRun(outcome) !== describeRun(latest))
  const findings = outcomes.flatMap(({ name, findings }) => findings.map((finding) => ({ name, ...finding })))
  const table = [
    ['Row', 'What', 'Figure to reach', 'Reached (lowest to highest round)', 'Passed'],
    ...findings.map((finding) => [
      `\`${finding.name}\``,
      finding.what,
      showGoal(finding.goal, finding.unit),
      showReached(finding),
      finding.rounds.length === 0 ? 'not measured' : isReached(finding) ? 'yes' : '**no**',
    ]),
  ]
  return `# Bench: what was measured

Written by \`npm run bench\`, never by hand; the figures to reach are those of the design. Each row's program is in \`tests/bench/rows/\`.

- \`npm run bench\` measures all rows and writes this page; \`npm run bench -- home weight\` measures those and leaves the others as they were.
- \`npm run bench -- --fast\` takes few rounds and writes nothing. \`--seed ${latest.seed}\` repeats what was drawn at random in the latest run.
- Where there are several rounds their median counts.

${describeMachine(latest.machine)}

${describeRun(latest)}.${elsewhere.length > 0 ? ` Other rows were measured in other runs: see each.` : ''}

${markdown(table)}

![Each figure beside the one to reach](${FILES.chart})

## Noise

Rows that compare take turns within one run, so that what disturbs one disturbs the other. Before each row the bench looks how busy the machine is with other things; above a tenth, times and rates are worse than the site's own.

${markdown([
  ['Row', 'Busy before', 'Load of the last minute', 'Seconds', 'Seed'],
  ...outcomes.map(({ name, noise, seconds, seed }) => [
    `\`${name}\``,
    `${Math.round(noise.busy * 100)} %`,
    noise.load.toFixed(1),
    Math.round(seconds),
    seed,
  ]),
])}

${outcomes.map((outcome) => section(outcome, describeRun(latest))).join('\n')}`
}

function section(outcome: Outcome, latestRun: string): string {
  const { title, tables = [], notes = [] } = outcome
  const run = describeRun(outcome)
  const paragraphs = [
    `## ${title}`,
    ...(run === latestRun ? [] : [`${run}.`]),
    ...notes,
    ...tables.map((table) => `${table.title}:\n\n${markdown(table.lines)}`),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

function describeMachine({ processor, cores, memoryGb, system, node, programs }: Machine): string {
  const installed = Object.entries(programs).map(([name, version]) => (version ? `${name} ${version}` : `no ${name}`))
  return `Machine: ${processor}, ${cores} cores, ${memoryGb} GB, ${system}; Node ${node.slice(1)}, ${installed.join(', ')}.`
}

function describeRun({ at, commit: { hash, changed } }: Outcome): string {
  const work = changed > 0 ? `, with ${changed} files changed since` : ''
  return `Measured on ${at.slice(0, 10)} at commit ${hash}${work}`
}

function markdown(lines: readonly (readonly (string | number)[])[]): string {
  const [head = [], ...rest] = lines.map((line) => line.map((cell) => String(cell).replaceAll('|', '\\|')))
  return [head, head.map(() => '---'), ...rest].map((line) => `| ${line.join(' | ')} |`).join('\n')
}
