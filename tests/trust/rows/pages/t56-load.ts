import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadTool, press, type LoadResult } from '#tests/bench/load.ts'
import { median } from '#tests/bench/statistics.ts'
import { SAMPLE_PASSWORD } from '#tests/e2e/steps/people.ts'
import { request } from '#tests/trust/http.ts'
import { inParallel, percentile } from '#tests/trust/load.ts'
import { Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustContext, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const CONNECTIONS = 64
const LOG_INS_AT_ONCE = 16
const OTHERS_EVERY_MS = 10

interface Figure {
  what: string
  reached: number
  goal: { is: 'at least' | 'under'; value: number }
  unit: string
}

/** The targets. */
export const row: TrustRow = {
  id: 'T56',
  promise: 'Load',
  gate: false,
  undisturbed: true,
  target:
    '64 connections: home p99 < 10 ms, levels >= 10,000/s, 100 log-ins/s with p99 < 25 ms for other requests; home with two instances >= 2,000 req/s, p99 < 50 ms; 0 errors',
  async run(context) {
    const world = await context.world({ instances: 2, pages: true })
    const figures: Figure[] = []
    const told: string[] = []
    let errors = 0
    const measure = async (path: string, instances: number) => {
      const result = await pressed(context, world, path, instances)
      errors += result.errors
      const times = `p99 ${result.p99Ms.toFixed(1)} ms`
      told.push(
        `${path} with ${instances}i ${Math.round(result.requestsPerSecond).toLocaleString('en-US')}/s, ${times}`,
      )
      return result
    }
    const home = await measure('/', 1)
    figures.push({ what: 'home p99', reached: home.p99Ms, goal: { is: 'under', value: 10 }, unit: 'ms' })
    await measure('/events', 1)
    const levels = await measure('/api/membership-levels', 1)
    figures.push({
      what: 'levels',
      reached: levels.requestsPerSecond,
      goal: { is: 'at least', value: 10_000 },
      unit: '/s',
    })
    const both = await measure('/', 2)
    figures.push(
      { what: 'home 2i', reached: both.requestsPerSecond, goal: { is: 'at least', value: 2_000 }, unit: '/s' },
      { what: 'home 2i p99', reached: both.p99Ms, goal: { is: 'under', value: 50 }, unit: 'ms' },
    )
    await measure('/events', 2)
    await measure('/api/membership-levels', 2)
    const mix = await logInsBeside(context, world)
    errors += mix.faults.count
    figures.push(
      { what: 'log-ins', reached: mix.perSecond, goal: { is: 'at least', value: 100 }, unit: '/s' },
      { what: 'others’ p99 during log-ins', reached: mix.othersP99, goal: { is: 'under', value: 25 }, unit: 'ms' },
    )
    const missed = figures.filter(({ reached, goal }) =>
      goal.is === 'under' ? reached >= goal.value : reached < goal.value,
    )
    return {
      passed: missed.length === 0 && errors === 0,
      reached:
        `${told.join('; ')}; ${mix.perSecond.toFixed(0)} log-ins/s, others’ p99 ${mix.othersP99.toFixed(1)} ms, the callers took ${Math.round(mix.callersShare * 100)} % of the processors; ${errors} errors; ` +
        (missed.length === 0 ? 'all figures reached' : `missed: ${missed.map(describe).join(', ')}`),
      notes: `Pressed by ${loadTool} from the same two cores; medians of rounds. With 2i each instance has half of the connections. \`npm run bench\` compares with nginx`,
    }
  },
}

function describe({ what, reached, goal, unit }: Figure): string {
  return `${what} ${reached.toFixed(1)} ${unit} (${goal.is} ${goal.value.toLocaleString('en-US')})`
}

/** Both instances are loaded in parallel; their rates add up, and the slower one's p99 counts. */
async function pressed({ count }: TrustContext, world: World, path: string, instances: number): Promise<LoadResult> {
  const rounds: LoadResult[] = []
  const sites = world.sites.slice(0, instances)
  for (const { origin } of sites) await request(origin, { path })
  for (let round = 0; round < count(3, 1); round++) {
    const results = await Promise.all(
      sites.map(({ origin }) =>
        press({
          url: `${origin.replace('localhost', '127.0.0.1')}${path}`,
          connections: CONNECTIONS / instances,
          seconds: count(4, 2),
          headers: { 'accept-encoding': 'br' },
        }),
      ),
    )
    rounds.push({
      requestsPerSecond: results.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0),
      p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
      errors: results.reduce((sum, { errors }) => sum + errors, 0),
    })
  }
  return {
    requestsPerSecond: median(rounds.map(({ requestsPerSecond }) => requestsPerSecond)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
  }
}

/** Members log in at both instances, sixteen in parallel, while others request the home page; medians of rounds, like the other figures. */
async function logInsBeside({ count }: TrustContext, world: World) {
  const faults = new Faults()
  const rounds: Awaited<ReturnType<typeof roundOfLogIns>>[] = []
  for (let round = 0; round < count(3, 1); round++) rounds.push(await roundOfLogIns(world, count(400, 100), faults))
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    othersP99: median(rounds.map(({ othersP99 }) => othersP99)),
    callersShare: median(rounds.map(({ callersShare }) => callersShare)),
    faults,
  }
}

async function roundOfLogIns(world: World, logIns: number, faults: Faults) {
  const times: number[] = []
  let isOver = false
  async function others(): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const { status, ms } = await request(world.siteOf(turn).origin, { path: '/' })
      times.push(ms)
      faults.expect(status === 200, `home answered ${status}`)
      await sleep(OTHERS_EVERY_MS)
    }
  }
  const visiting = others()
  const before = process.cpuUsage()
  const startedAt = performance.now()
  await inParallel(Array.from({ length: logIns }), LOG_INS_AT_ONCE, async (_, index) => {
    const visitor = new Visitor(world, { site: world.siteOf(index) })
    const { status } = await visitor.logIn('annual@example.org', SAMPLE_PASSWORD)
    faults.expect(status === 200, `log-in answered ${status}`)
  })
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(before)
  isOver = true
  await visiting
  return {
    perSecond: logIns / (ms / 1_000),
    othersP99: percentile(times, 0.99),
    callersShare: (user + system) / 1_000 / (ms * availableParallelism()),
  }
}
