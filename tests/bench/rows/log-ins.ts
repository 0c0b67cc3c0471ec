import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel, percentile } from '#tests/trust/load.ts'
import { fetchBotToken, logInAs } from '../log-ins.ts'
import { addMembers } from '../members.ts'
import { askWorker } from '../programs.ts'
import type { BenchContext, BenchRow } from '../row.ts'
import type { BenchSite } from '../site.ts'
import { median, number } from '../statistics.ts'

const MEMBERS = 10_000
const AT_ONCE = 16
const PACE_PER_SECOND = 100
const PROBE_EVERY_MS = 10

export const row: BenchRow = {
  name: 'log-ins',
  title: 'Log-ins, and everyone else meanwhile',
  async run(context) {
    const site = await context.site()
    await addMembers(site.databaseUrl, MEMBERS, context.random)
    await asFastAsItGoes(context, site, 50)
    const rates: number[] = []
    const othersPaced: number[] = []
    const othersPressed: number[] = []
    const ownPaced: number[] = []
    for (let round = 0; round < context.count(4, 1); round++) {
      const pressed = await probeDuring(site, context.count(4_000, 3_000), (ms) => untilOver(context, site, ms))
      rates.push(pressed.result)
      othersPressed.push(percentile(pressed.others, 0.99))
      const paced = await probeDuring(site, context.count(4_000, 3_000), (ms) => atPace(context, site, ms))
      ownPaced.push(percentile(paced.result, 0.99))
      othersPaced.push(percentile(paced.others, 0.99))
    }
    return {
      findings: [
        {
          what: `Log-ins, ${AT_ONCE} at once`,
          goal: { is: 'at least', value: 100 },
          unit: 'log-ins/s',
          digits: 0,
          rounds: rates,
        },
        {
          what: `Others' p99 during ${PACE_PER_SECOND} log-ins/s`,
          goal: { is: 'under', value: 25 },
          unit: 'ms',
          digits: 1,
          rounds: othersPaced,
        },
      ],
      notes: [
        `Argon2id at 19,456 KiB, 2 passes (docs/product-rules.md#passwords), random ones of ${number(MEMBERS, 0)} members, every log-in with its bot check. Others ask for the membership levels ${1_000 / PROBE_EVERY_MS} times a second from another process.`,
        `With log-ins as fast as they go the others' p99 was ${number(median(othersPressed), 1)} ms; a log-in's own p99 at ${PACE_PER_SECOND} a second was ${number(median(ownPaced), 0)} ms. Site, stand-ins and both callers share this machine's cores.`,
      ],
    }
  },
}

/** Response times of other requests while `work` runs, without those at its beginning and end. */
async function probeDuring<T>(
  site: BenchSite,
  ms: number,
  work: (ms: number) => Promise<T>,
): Promise<{ result: T; others: number[] }> {
  const edgeMs = 600
  const others = askWorker<number[]>('probe', {
    BENCH_URL: site.url,
    BENCH_PATH: '/api/membership-levels',
    BENCH_EVERY_MS: String(PROBE_EVERY_MS),
    BENCH_FOR_MS: String(ms - 2 * edgeMs),
  })
  const [result, times] = await Promise.all([work(ms), others])
  return { result, others: times }
}

/** Log-ins per second. */
async function untilOver(context: BenchContext, site: BenchSite, ms: number): Promise<number> {
  const startedAt = performance.now()
  let done = 0
  await inParallel(Array.from({ length: AT_ONCE }), AT_ONCE, async () => {
    while (performance.now() - startedAt < ms) {
      await logInAs(site, context.random.between(0, MEMBERS - 1))
      done++
    }
  })
  return done / ((performance.now() - startedAt) / 1_000)
}

async function asFastAsItGoes({ random }: BenchContext, site: BenchSite, count: number): Promise<void> {
  const people = Array.from({ length: count }, () => random.between(0, MEMBERS - 1))
  await inParallel(people, AT_ONCE, (member) => logInAs(site, member))
}

/** Sends requests at a fixed rate, regardless of their duration; returns the durations. */
async function atPace({ random }: BenchContext, site: BenchSite, ms: number): Promise<number[]> {
  const count = Math.round((ms / 1_000) * PACE_PER_SECOND)
  const tokens = await inParallel(Array.from({ length: count }), 16, () => fetchBotToken(site))
  const startedAt = performance.now()
  const calls: Promise<number>[] = []
  for (const [at, token] of tokens.entries()) {
    const early = startedAt + (at * 1_000) / PACE_PER_SECOND - performance.now()
    if (early > 0) await sleep(early)
    calls.push(logInAs(site, random.between(0, MEMBERS - 1), token))
  }
  return Promise.all(calls)
}
