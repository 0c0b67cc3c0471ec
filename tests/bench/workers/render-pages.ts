// Renders every page repeatedly and prints the durations: `{ path: ms[] }`, with the very first under `first`.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { readConfig } from '#server/config/config.ts'
import { withTimeZone } from '#server/features/content-store/region.queries.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { createContentCache } from '#server/features/content/content-cache.service.ts'
import { createPageServices } from '#server/features/content/page-content.service.ts'
import { createPicturesService } from '#server/features/media/pictures.service.ts'
import { createMediaStore } from '#server/media-store/create-media-store.ts'
import type { PageMetadata } from '#server/pages/page-metadata.ts'
import { systemClock } from '#server/lib/clock.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const WARM_UP_ROUNDS = 30
const config = readConfig(process.env)
const rounds = Number(process.env['BENCH_ROUNDS'])
// Set before React is loaded, as in the site's own start: it selects the production build.
process.env['NODE_ENV'] = 'production'
const { createRenderer } = await import('#server/pages/render-page.ts')
const { CachingRenderer } = await import('#server/pages/caching-renderer.ts')

const module: unknown = await import(pathToFileURL(join(config.buildDirectory ?? '', 'server', 'index.js')).href)
const build = module as ServerBuild
const { pageData } = build.entry.module as unknown as { pageData: PageMetadata[] }
const database = openDatabase(config.databaseUrl, quiet)
const cache = await createContentCache({
  db: database.db,
  clock: systemClock,
  log: quiet,
  timeZone: (await withTimeZone(config, database.db)).timeZone,
  siteUrl: 'http://localhost',
  polling: false,
})
const pictures = createPicturesService({ store: createMediaStore(config), clock: systemClock, log: quiet })
const services = createPageServices(config, cache, () => true, pictures)
let version = 0
// A page is rendered again only if what it was rendered from has changed, so the announcement on every page does.
const rootData: typeof services.rootData = async () => ({
  ...(await services.rootData()),
  announcement: { title: `Number ${version}`, text: 'News for everyone.', linkLabel: 'Read it', linkPath: '/news' },
})
const render = await createRenderer({
  build,
  services: { ...services, rootData },
  siteUrl: config.siteUrl,
  onError: fail,
})
const maker = new CachingRenderer({
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

const pages = [...pageData.flatMap(formsOf), { key: '/*', metadata: null, status: 404 }]
const first = await time(pages[0])
const times: Record<string, number[]> = {}
for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
  for (const page of pages) {
    const ms = await time(page)
    if (round >= 0) (times[page.key] ??= []).push(ms)
  }
  // Compression runs in the background; it must not fall further and further behind.
  await sleep(20)
}
await database.close()
process.stdout.write(JSON.stringify({ first, times }))

/** The time a visitor waits after a change of content: rendering, gzip compression, headers. */
async function time(page: (typeof pages)[number] | undefined): Promise<number> {
  if (!page) throw new Error('The site has no pages')
  version++
  const startedAt = performance.now()
  await maker.get(page)
  return performance.now() - startedAt
}

/** The page without a query, and with each query that changes it. */
function formsOf(metadata: PageMetadata): { key: string; metadata: PageMetadata; status?: number }[] {
  const queries = Object.entries(metadata.queryParameters ?? {})
  if (queries.length === 0) return [{ key: metadata.path, metadata }]
  const all = new URLSearchParams(
    queries.map(([name, rule]) => [name, rule === 'present' ? 'present' : (rule[0] ?? '')]),
  )
  return [
    { key: metadata.path, metadata },
    { key: `${metadata.path}?${all}`, metadata },
  ]
}

function fail(error: unknown): never {
  throw error
}
