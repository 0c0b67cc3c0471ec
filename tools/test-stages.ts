import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Counts, Stage } from './stage.ts'

const ROOT = resolve(import.meta.dirname, '..')
const PACKAGES = join(ROOT, 'node_modules')
const VITEST = join(PACKAGES, 'vitest/vitest.mjs')
const OXLINT = join(PACKAGES, 'oxlint/bin/oxlint')
const OXFMT = join(PACKAGES, 'oxfmt/bin/oxfmt')
const KNIP = join(PACKAGES, 'knip/bin/knip.js')
const TSC = join(PACKAGES, 'typescript/bin/tsc')
const REACT_ROUTER = join(PACKAGES, '@react-router/dev/bin.cjs')
const BUILD = join(import.meta.dirname, 'build-command.ts')
const TRUST = join(ROOT, 'tests/trust/run.ts')

/** The checks that read all types, on all cores. Types come first: the others read the generated files. */
export const typedStages: Stage[] = [
  {
    name: 'types',
    commands: [
      [REACT_ROUTER, 'typegen'],
      [TSC, '--noEmit', '-p', '.'],
    ],
  },
  { name: 'lint', commands: [[OXLINT, '--type-aware', '--format', 'agent']] },
]

/** The checks that take one core or a moment. */
export const staticStages: Stage[] = [
  { name: 'format', commands: [[OXFMT, '--check']] },
  { name: 'unused code', commands: [[KNIP, '--no-progress']] },
  // Needed by the journeys; costs no time here, since the parallel tests take longer.
  { name: 'build', commands: [[BUILD]] },
]

/** All tests except journeys: on SQLite, and on PostgreSQL those that depend on the engine, or with `isWhole` all of them. */
export function testStage(isWhole: boolean): Stage {
  return vitestStage('tests', ['--project', '!journeys'], isWhole)
}

/** The journeys tagged `core`, or with `isWhole` all of them. */
export function journeyStage(isWhole: boolean): Stage {
  return vitestStage('journeys', ['--project', 'journeys', ...(isWhole ? [] : ['--tagsFilter', 'core'])], isWhole)
}

/** The rows that are fast enough for every run of all tests. */
export const trustStage: Stage = {
  name: 'trust, quick rows',
  commands: [[TRUST, '--quick']],
  count: countTrustRows,
}

/** Files named in `npm test -- something`. */
export function chosenTests(args: readonly string[]): Stage {
  return vitestStage('chosen tests', args)
}

function vitestStage(name: string, args: readonly string[], isWhole = false): Stage {
  const file = join(tmpdir(), `association-${name.replaceAll(/\W/g, '-')}-${process.pid}.json`)
  return {
    name,
    commands: [
      [
        VITEST,
        'run',
        '--passWithNoTests=false',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
        ...args,
      ],
    ],
    environment: { NO_COLOR: '1', ...(isWhole && { TEST_ALL: '1' }) },
    count: () => countVitest(file),
    excerpt: onlyFailures,
  }
}

/** The list of passed tests is long and would hide failures. */
function onlyFailures(output: string): string {
  const lines = output.split('\n')
  const start = lines.findIndex((line) => /Failed (Tests|Suites)|Unhandled (Errors|Rejection)/.test(line))
  return start < 0 ? output : lines.slice(start).join('\n')
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

/** A file that does not load counts as one failed test. */
function countVitest(file: string): Counts | null {
  if (!existsSync(file)) return null
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  rmSync(file)
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

function countTrustRows(output: string): Counts {
  return { passed: output.match(/^pass {2}/gm)?.length ?? 0, failed: output.match(/^FAIL {2}/gm)?.length ?? 0 }
}
