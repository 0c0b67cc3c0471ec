import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/logger.ts'
import type { FindDocument } from './documents.ts'
import type { KnownPage } from './page-addresses.ts'
import type { PageFacts } from './page-facts.ts'
import { type AnsweredRequest, createPageServer, type Pages } from './page-server.ts'
import type { PageServices } from './page-services.ts'
import { createRenderer } from './render-page.ts'
import { robotsFile, sitemap } from './search-engines.ts'
import { readStaticFiles } from './static-files.ts'

interface PagesOptions {
  /** What `buildSite` of `tools/build.ts` answered. */
  buildDirectory: string
  services: PageServices
  siteUrl: string
  contentVersion: () => string | number
  today: () => string
  /** The addresses of everything that content gives a page of its own. */
  contentPaths: () => ReadonlySet<string>
  /** Calendars and feeds; the sitemap is made here. */
  findDocument: FindDocument
  clock: Pick<Clock, 'now'>
  log: Log
  /** Origins that pictures may come from besides the site. */
  imageOrigins?: readonly string[]
  onAnswered?: (answered: AnsweredRequest) => void
}

const MAXIMUM_BYTES = 32 * 1024 * 1024
/** A page usually takes a few milliseconds; after this long the database is taken for gone. */
const RENDER_TIMEOUT_MS = 5_000

/**
 * The built site. `process.env.NODE_ENV` must be set before.
 * @throws when the build's route table and its page facts do not name the same paths.
 */
export async function createPages(options: PagesOptions): Promise<Pages> {
  const { buildDirectory, services, siteUrl, log } = options
  const module: unknown = await import(pathToFileURL(join(buildDirectory, 'server', 'index.js')).href)
  const build = module as ServerBuild
  const { pageFacts } = build.entry.module as unknown as { pageFacts: PageFacts[] }
  const onError = (error: unknown, address: string) => {
    log.error({ err: error, page: address.split('?')[0] }, 'A page could not be made')
  }
  return createPageServer({
    ...options,
    imageOrigins: options.imageOrigins ?? [],
    maximumBytes: MAXIMUM_BYTES,
    renderTimeoutMs: RENDER_TIMEOUT_MS,
    onError,
    pages: knownPages(build, pageFacts),
    files: new Map([...readStaticFiles(buildDirectory, siteUrl), ['/robots.txt', robotsFile(siteUrl)]]),
    findDocument: (path) =>
      path === '/sitemap.xml' ? sitemap(pageFacts, options.contentPaths(), siteUrl) : options.findDocument(path),
    render: await createRenderer({ build, services, siteUrl, onError }),
  })
}

function knownPages({ routes }: ServerBuild, pageFacts: readonly PageFacts[]): KnownPage[] {
  const routeIds = new Map<string, string>()
  for (const route of Object.values(routes)) {
    if (!route || route.id === 'root' || route.path === '*') continue
    routeIds.set(`/${route.path ?? ''}`.replace(/\/\*$/, ''), route.id)
  }
  const pages = pageFacts.map((facts) => {
    const routeId = routeIds.get(facts.path)
    if (!routeId) throw new Error(`src/web/app/page-facts.ts names ${facts.path}, which src/web/app/routes.ts does not`)
    return { facts, routeId }
  })
  const unnamed = [...routeIds.keys()].filter((path) => !pageFacts.some((facts) => facts.path === path))
  if (unnamed.length > 0) throw new Error(`src/web/app/page-facts.ts does not name ${unnamed.join(', ')}`)
  return pages
}
