import { setTimeout as sleep } from 'node:timers/promises'
import { SAMPLE_PASSWORD } from '#tests/e2e/steps/people.ts'
import { request, type HttpResponse } from '#tests/trust/http.ts'
import { inParallel, percentile } from '#tests/trust/load.ts'
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { requestSubscription, sendMessage } from '#tests/trust/browser/public-forms.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { growthPerHour, minimumPerMinute, sample, type Sample } from '#tests/trust/faults/watched-process.ts'

const WHOLE_MINUTES = 120
/** Warm-up for compilation, caches and pools. */
const WARM_UP_SHARE = 0.25
const SAMPLE_EVERY_MS = 5_000
const MEASURE_MS = 10_000
const CONNECTIONS = 32
const GROWTH_MB_AN_HOUR = 1
const PAGES = ['/', '/events', '/about', '/news', '/faqs', '/become-a-member', '/newsletter', '/contact']

export const row: TrustRow = {
  id: 'T51',
  promise: 'Soak',
  gate: false,
  undisturbed: true,
  alone: true,
  target:
    '2 h of mixed load at half of the machine’s capacity: resident memory grows < 1 MB/h after warm-up, 0 errors, open files flat',
  async run({ world: start, minutes = WHOLE_MINUTES, random }) {
    const world = await start({ pages: true })
    const faults = new Faults()
    const { program } = world.site
    if (!sample(program, 0))
      return { passed: false, reached: 'not measured', notes: 'This system does not tell a process’s memory in /proc.' }
    const capacity = await measureCapacity(world, random, faults)
    const pace = capacity / 2
    const { samples, times } = await soak(world, { minutes, pace, random, faults })
    const warm = samples.filter(({ atMs }) => atMs >= minutes * 60_000 * WARM_UP_SHARE)
    const held = minimumPerMinute(warm)
    const growth = growthPerHour(held, ({ memoryMb }) => memoryMb)
    const files = warm.map(({ openFiles }) => openFiles)
    const filesGrowth = growthPerHour(warm, ({ openFiles }) => openFiles)
    const areFilesFlat = Math.abs(filesGrowth) * (minutes / 60) < 5
    const isWhole = minutes >= WHOLE_MINUTES
    const [first, last] = [held.at(0)?.memoryMb ?? 0, held.at(-1)?.memoryMb ?? 0]
    return {
      passed: isWhole && growth < GROWTH_MB_AN_HOUR && areFilesFlat && faults.count === 0,
      reached:
        `${minutes} min at ${pace.toFixed(0)} requests/s (half of ${capacity.toFixed(0)}), ${times.length.toLocaleString('en-US')} requests, p99 ${percentile(times, 0.99).toFixed(0)} ms; ` +
        `memory ${growth >= 0 ? '+' : ''}${growth.toFixed(1)} MB/h after warming up (the least of each minute: ${first.toFixed(0)} to ${last.toFixed(0)} MB), ` +
        `open files ${Math.min(...files)} to ${Math.max(...files)}; errors: ${faults}`,
      ...(!isWhole && {
        notes: `Shortened from ${WHOLE_MINUTES} to ${minutes} min, which proves nothing about years: \`npm run trust -- T51\` runs the whole`,
      }),
    }
  },
}

async function measureCapacity(world: World, random: Random, faults: Faults): Promise<number> {
  const endsAt = performance.now() + MEASURE_MS
  let done = 0
  await inParallel(Array.from({ length: CONNECTIONS }), CONNECTIONS, async () => {
    while (performance.now() < endsAt) {
      await visit(world, random, faults)
      done++
    }
  })
  return done / (MEASURE_MS / 1_000)
}

async function soak(
  world: World,
  { minutes, pace, random, faults }: { minutes: number; pace: number; random: Random; faults: Faults },
): Promise<{ samples: Sample[]; times: number[] }> {
  const samples: Sample[] = []
  const times: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + minutes * 60_000
  const watch = setInterval(() => {
    const seen = sample(world.site.program, performance.now() - startedAt)
    if (seen) samples.push(seen)
  }, SAMPLE_EVERY_MS)
  const everyMs = (1_000 / pace) * CONNECTIONS
  await inParallel(Array.from({ length: CONNECTIONS }), CONNECTIONS, async (_, index) => {
    // Each has its own interval, independent of response times.
    for (let next = startedAt + (index / CONNECTIONS) * everyMs; next < endsAt; next += everyMs) {
      const early = next - performance.now()
      if (early > 0) await sleep(early)
      times.push(await visit(world, random, faults))
    }
  })
  clearInterval(watch)
  return { samples, times }
}

/** One request of the mix: mostly pages, some calls, occasionally a form. Resolves with its duration. */
async function visit(world: World, random: Random, faults: Faults): Promise<number> {
  const share = random.next()
  const visitor = new Visitor(world)
  const asked = (): Promise<HttpResponse> => {
    if (share < 0.7) return request(world.site.origin, { path: random.pick(PAGES) })
    if (share < 0.85) return request(world.site.origin, { path: '/api/membership-levels' })
    if (share < 0.97)
      return request(world.site.origin, { path: `/api/newsletter/campaigns?q=word${random.between(0, 99)}` })
    if (share < 0.98) return visitor.logIn('annual@example.org', SAMPLE_PASSWORD)
    if (share < 0.985) return visitor.register(newPerson())
    if (share < 0.995) return sendMessage(visitor)
    return requestSubscription(visitor, newPerson().email)
  }
  const response = await asked().catch((error: Error) => ({ status: 0, ms: 0, text: error.message }))
  faults.expect(response.status >= 200 && response.status < 300, `answered ${response.status}`, response.text)
  return response.ms
}
