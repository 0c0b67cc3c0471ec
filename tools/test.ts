import { endAllStages, runStage, type Stage, type StageResult } from './stage.ts'
import {
  chosenTests,
  longerJourneys,
  shorterJourneys,
  staticStages,
  testStage,
  trustStage,
  unsteadyTests,
} from './test-stages.ts'

/** Only to end a hanging run: the goal is ten minutes, and a busy machine takes longer. */
const WHOLE_TIME_MS = 25 * 60_000

const deadline = Date.now() + WHOLE_TIME_MS
const startedAt = performance.now()
const results: StageResult[] = []

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void endAllStages().then(() => process.exit(1)))
}

const filter = process.argv.slice(2)
if (filter.length > 0) {
  await runAll([chosenTests(filter)])
} else {
  // Two lanes for two cores, twice: browsers and trust rows run after the tests and mostly wait.
  await Promise.all([runAll(staticStages), runAll([testStage])])
  const promises = trustStage ? [trustStage] : []
  await Promise.all([runAll([longerJourneys]), runAll([...promises, shorterJourneys])])
  await tryAgain([...staticStages, testStage, longerJourneys, shorterJourneys, ...promises])
}
report()

async function runAll(stages: readonly Stage[]): Promise<void> {
  for (const stage of stages) {
    console.log(`  ...   ${stage.name}`)
    const result = await runStage(stage, deadline)
    results.push(result)
    console.log(lineOf(result))
    for (const line of unsteadyTests(result.output)) console.log(`        passed when tried again: ${line}`)
    if (!result.ok) console.log(`\n${indent(stage.excerpt?.(result.output) ?? result.output)}\n`)
    else if (filter.length > 0) console.log(`\n${result.output}`)
  }
}

/** Tests that failed under parallel load are rerun when the machine is idle; a pass counts and is reported. */
async function tryAgain(stages: readonly Stage[]): Promise<void> {
  for (const stage of stages) {
    const index = results.findIndex(({ name }) => name === stage.name)
    const first = results[index]
    const again = first && !first.ok ? stage.again?.(first.output) : null
    if (!first || !again) continue
    console.log(`  ...   ${again.name}`)
    const second = await runStage(again, deadline)
    console.log(lineOf(second))
    if (!second.ok) console.log(`\n${indent(second.output)}\n`)
    else results[index] = { ...first, ok: true, failed: 0, passed: first.passed + first.failed }
  }
}

function report(): void {
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  console.log(`\nAfter ${Math.round((performance.now() - startedAt) / 1_000)} s:\n`)
  for (const result of results) console.log(lineOf(result))
  if (!process.env['TEST_DATABASE_URL']) {
    console.log('\nTEST_DATABASE_URL is not set: the PostgreSQL dialect is proved by PGlite in memory only.')
  }
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

function lineOf({ name, ok, seconds, passed, failed }: StageResult): string {
  const counts = passed + failed > 1 ? `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}` : ''
  return `  ${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s  ${counts}`.trimEnd()
}

function indent(output: string): string {
  return output.trimEnd().replaceAll(/^/gm, '        ')
}
