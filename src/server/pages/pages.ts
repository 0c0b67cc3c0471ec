import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { isOff, type Part } from '#contract/parts.ts'
import type { Palette } from '#contract/brand/palette.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Log } from '#server/lib/logger.ts'
import type { FindBrandFile } from './brand-responses.ts'
import type { FindDocument } from './documents.ts'
import type { PageRoute } from './page-resolver.ts'
import type { PageMetadata } from './page-metadata.ts'
import { type CompletedRequest, createPageServer, type FindRedirect, type Pages } from './page-server.ts'
import type { PageServices } from './page-services.ts'
import { createRenderer } from './render-page.ts'
import { robotsFile, sitemap } from './search-engines.ts'
import { readStaticFiles } from './static-files.ts'

interface PagesOptions {
  /** The return value of `buildSite` of `tools/build.ts`. */
  buildDirectory: string
  services: PageServices
  siteUrl: string
  contentVersion: () => string | number
  today: () => string
  /** The paths of all events, articles and added pages. */
  contentPaths: () => ReadonlySet<string>
  /** The parts of the site that are off: their pages are not in the sitemap. */
  partsOff: () => readonly Part[]
  /** Former paths of added pages, with the current ones. */
  movedPaths: () => ReadonlyMap<string, string>
  findRedirect: FindRedirect
  /** Finds calendars and feeds; the sitemap is added here. */
  findDocument: FindDocument
  findBrandFile: FindBrandFile
  palette: () => Palette
  clock: Pick<Clock, 'now'>
  log: Log
  /** Additional origins of images. */
  imageOrigins?: readonly string[]
  onCompleted?: (completed: CompletedRequest) => void
}

const MAXIMUM_BYTES = 32 * 1024 * 1024
/** A page usually takes a few milliseconds; after this time the database counts as unavailable. */
const RENDER_TIMEOUT_MS = 5_000

/**
 * Creates the page server of the built site. `process.env.NODE_ENV` must be set before.
 * @throws if the build's route table and its page metadata do not have the same paths
 */
export async function createPages(options: PagesOptions): Promise<Pages> {
  const { buildDirectory, services, siteUrl, log } = options
  const module: unknown = await import(pathToFileURL(join(buildDirectory, 'server', 'index.js')).href)
  const build = module as ServerBuild
  const { pageData } = build.entry.module as unknown as { pageData: PageMetadata[] }
  const onError = (error: unknown, address: string) => {
    log.error({ err: error, page: address.split('?')[0] }, 'rendering a page failed')
  }
  return createPageServer({
    ...options,
    imageOrigins: options.imageOrigins ?? [],
    maximumBytes: MAXIMUM_BYTES,
    renderTimeoutMs: RENDER_TIMEOUT_MS,
    onError,
    pages: knownPages(build, pageData),
    files: new Map([...readStaticFiles(buildDirectory, siteUrl), ['/robots.txt', robotsFile(siteUrl)]]),
    findDocument: (path) =>
      path === '/sitemap.xml'
        ? sitemap(
            pageData.filter((page) => !isOff(page.path, options.partsOff())),
            options.contentPaths(),
            siteUrl,
          )
        : options.findDocument(path),
    render: await createRenderer({ build, services, siteUrl, onError }),
  })
}

function knownPages({ routes }: ServerBuild, pageData: readonly PageMetadata[]): PageRoute[] {
  const routeIds = new Map<string, string>()
  const known = Object.values(routes).filter((route) => route !== undefined)
  /** The path from the root, of which a route below another has only the end. */
  function pathOf({ path = '', parentId }: (typeof known)[number]): string {
    const parent = known.find(({ id }) => id === parentId && id !== 'root')
    return [parent && pathOf(parent), path].filter(Boolean).join('/')
  }
  for (const route of known) {
    const isLayout = known.some(({ parentId }) => parentId === route.id)
    if (isLayout || route.path === '*') continue
    routeIds.set(`/${pathOf(route)}`.replace(/\/\*$/, ''), route.id)
  }
  const pages = pageData.map((metadata) => {
    const routeId = routeIds.get(metadata.path)
    if (!routeId)
      throw new Error(`src/web/app/page-data.ts has ${metadata.path}, which is not in src/web/app/routes.ts`)
    return { metadata, routeId }
  })
  const missing = [...routeIds.keys()].filter((path) => !pageData.some((metadata) => metadata.path === path))
  if (missing.length > 0) throw new Error(`src/web/app/page-data.ts has no entry for ${missing.join(', ')}`)
  return pages
}
