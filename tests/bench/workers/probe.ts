// Asks for an address at a fixed rate, whether the answers before have come or not, and prints how long each took, in ms.
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '#tests/trust/http.ts'

const url = process.env['BENCH_URL'] ?? ''
const path = process.env['BENCH_PATH'] ?? '/'
const everyMs = Number(process.env['BENCH_EVERY_MS'])
const forMs = Number(process.env['BENCH_FOR_MS'])

await Promise.all(Array.from({ length: 8 }, () => ask(url, { path })))
const answers: Promise<number>[] = []
const startedAt = performance.now()
for (let due = startedAt; due < startedAt + forMs; due += everyMs) {
  const early = due - performance.now()
  if (early > 0) await sleep(early)
  answers.push(answer())
}
process.stdout.write(JSON.stringify(await Promise.all(answers)))

async function answer(): Promise<number> {
  const { status, ms } = await ask(url, { path })
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return ms
}
