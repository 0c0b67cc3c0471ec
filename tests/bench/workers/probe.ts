// Requests a URL at a fixed rate, without waiting for earlier responses, and prints the duration of each, in ms.
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from '#tests/trust/http.ts'

const url = process.env['BENCH_URL'] ?? ''
const path = process.env['BENCH_PATH'] ?? '/'
const everyMs = Number(process.env['BENCH_EVERY_MS'])
const forMs = Number(process.env['BENCH_FOR_MS'])

await Promise.all(Array.from({ length: 8 }, () => request(url, { path })))
const responses: Promise<number>[] = []
const startedAt = performance.now()
for (let due = startedAt; due < startedAt + forMs; due += everyMs) {
  const early = due - performance.now()
  if (early > 0) await sleep(early)
  responses.push(timeRequest())
}
process.stdout.write(JSON.stringify(await Promise.all(responses)))

async function timeRequest(): Promise<number> {
  const { status, ms } = await request(url, { path })
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return ms
}
