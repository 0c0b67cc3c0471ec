// Makes every page anew, again and again, and prints how long each took: `{ path: ms[] }`, and the very first under `first`.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { readConfig } from '#server/config/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { createContentCache } from '#server/features/association/content-cache.ts'
import { createPageServices } from '#server/features/association/page-services.ts'
import { createPicturesService } from '#server/features/media/pictures.service.ts'
import { createMediaStore } from '#server/media/create-media-store.ts'
import type { PageFacts } from '#server/pages/page-facts.ts'
import { systemClock } from '#server/platform/clock.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const WARM_UP_ROUNDS = 30
const config = readConfig(process.env)
const rounds = Number(process.env['BENCH_ROUNDS'])
// As the site's own start: this decides which form of React is loaded.
process.env['NODE_ENV'] = 'production'
const { createRenderer } = await import('#server/pages/render-page.ts')
const { PageMaker } = await import('#server/pages/page-maker.ts')

const module: unknown = await import(pathToFileURL(join(config.buildDirectory ?? '', 'server', 'index.js')).href)
const build = module as ServerBuild
const { pageFacts } = build.entry.module as unknown as { pageFacts: PageFacts[] }
const database = openDatabase(config.databaseUrl, quiet)
const cache = await createContentCache({
  db: database.db,
  clock: systemClock,
  log: quiet,
  timeZone: config.timeZone,
  siteUrl: 'http://localhost',
  polling: false,
})
const pictures = createPicturesService({ store: createMediaStore(config), clock: systemClock, log: quiet })
const services = createPageServices(config, cache, () => true, pictures)
const render = await createRenderer({ build, services, siteUrl: config.siteUrl, onError: fail })
let version = 0
const maker = new PageMaker({
  render,
  siteUrl: config.siteUrl,
  contentVersion: () => version,
  today: cache.today,
  clock: systemClock,
  imageOrigins: [],
  maximumBytes: 32 * 1024 * 1024,
  renderTimeoutMs: 5_000,
  onError: fail,
})

const pages = [...pageFacts.flatMap(formsOf), { key: '/*', facts: null, status: 404 }]
const first = await time(pages[0])
const times: Record<string, number[]> = {}
for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
  for (const page of pages) {
    const ms = await time(page)
    if (round >= 0) (times[page.key] ??= []).push(ms)
  }
  // Compressing goes on behind; it must not fall ever further back.
  await sleep(20)
}
await database.close()
process.stdout.write(JSON.stringify({ first, times }))

/** As a visitor waits after a change of content: rendered, compressed with gzip, given its headers. */
async function time(page: (typeof pages)[number] | undefined): Promise<number> {
  if (!page) throw new Error('The site has no pages')
  version++
  const startedAt = performance.now()
  await maker.get(page)
  return performance.now() - startedAt
}

/** The page without a query, and with all that change it. */
function formsOf(facts: PageFacts): { key: string; facts: PageFacts; status?: number }[] {
  const queries = Object.entries(facts.queries ?? {})
  if (queries.length === 0) return [{ key: facts.path, facts }]
  const all = new URLSearchParams(
    queries.map(([name, rule]) => [name, rule === 'present' ? 'present' : (rule[0] ?? '')]),
  )
  return [
    { key: facts.path, facts },
    { key: `${facts.path}?${all}`, facts },
  ]
}

function fail(error: unknown): never {
  throw error
}
