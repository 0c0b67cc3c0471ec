import { endAllStages, runStage, type Stage, type StageResult } from './stage.ts'
import { chosenTests, journeyStage, staticStages, testStage, trustStage, typedStages } from './test-stages.ts'

const [first, ...more] = process.argv.slice(2)
const isWhole = first === '--all'
const filter = isWhole || first === undefined ? more : [first, ...more]

/** Only to end a hanging run: the goal is five minutes, and a busy machine takes longer. */
const WHOLE_TIME_MS = (isWhole ? 60 : 25) * 60_000

const deadline = Date.now() + WHOLE_TIME_MS
const startedAt = performance.now()
const results: StageResult[] = []

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void endAllStages().then(() => process.exit(1)))
}

if (filter.length > 0) {
  await runAll([chosenTests(filter)])
} else {
  // Types, lint and journeys use both cores; the tests leave some time of theirs to the build.
  await runAll(typedStages)
  await Promise.all([runAll(staticStages), runAll([testStage(isWhole)])])
  await runAll([journeyStage(isWhole), ...(isWhole ? [trustStage] : [])])
}
report()

async function runAll(stages: readonly Stage[]): Promise<void> {
  for (const stage of stages) {
    console.log(`  ...   ${stage.name}`)
    const result = await runStage(stage, deadline)
    results.push(result)
    console.log(lineOf(result))
    if (!result.ok) console.log(`\n${indent(stage.excerpt?.(result.output) ?? result.output)}\n`)
    else if (filter.length > 0) console.log(`\n${result.output}`)
  }
}

function report(): void {
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  console.log(`\nAfter ${Math.round((performance.now() - startedAt) / 1_000)} s:\n`)
  for (const result of results) console.log(lineOf(result))
  if (!process.env['TEST_DATABASE_URL']) {
    console.log('\nTEST_DATABASE_URL is not set: PGlite in memory proves the PostgreSQL dialect.')
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
