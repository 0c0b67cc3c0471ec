import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import {
  apiHeaders,
  CLOSED_POLICY,
  DRAWING_POLICY,
  type Header,
  securityHeaders,
  WORKER_POLICY,
} from '../http/security-headers.ts'
import { type PreparedResponse, prepareResponse, preparePackedResponse } from './prepared-response.ts'

const CONTENT_TYPES: Record<string, { type: string; compressible: boolean }> = {
  '.css': { type: 'text/css; charset=utf-8', compressible: true },
  '.ico': { type: 'image/x-icon', compressible: true },
  '.jpg': { type: 'image/jpeg', compressible: false },
  '.js': { type: 'text/javascript; charset=utf-8', compressible: true },
  '.json': { type: 'application/json; charset=utf-8', compressible: true },
  '.pdf': { type: 'application/pdf', compressible: false },
  '.png': { type: 'image/png', compressible: false },
  '.avif': { type: 'image/avif', compressible: false },
  '.webp': { type: 'image/webp', compressible: false },
  '.svg': { type: 'image/svg+xml; charset=utf-8', compressible: true },
  '.txt': { type: 'text/plain; charset=utf-8', compressible: true },
  '.webmanifest': { type: 'application/manifest+json; charset=utf-8', compressible: true },
  '.woff2': { type: 'font/woff2', compressible: false },
  '.xml': { type: 'application/xml; charset=utf-8', compressible: true },
}

/** The bundler's folder for content-hashed files, which never change. */
export const HASHED_FOLDER = '/assets/'
const CACHE_FOREVER = 'public, max-age=31536000, immutable'
const CACHE_ONE_HOUR = 'public, max-age=3600, stale-while-revalidate=86400'

/**
 * Loads all files of the build into memory (under 3 MB), by path. Includes the hashed files of other builds, for browsers that still show an older page.
 */
export function readStaticFiles(buildDirectory: string, siteUrl: string): Map<string, PreparedResponse> {
  const files = new Map<string, PreparedResponse>()
  const current = join(buildDirectory, 'client')
  for (const path of pathsIn(current)) files.set(path, readFile(current, path, siteUrl))
  for (const sibling of siblings(buildDirectory)) {
    const folder = join(sibling, 'client')
    for (const path of pathsIn(folder)) {
      if (path.startsWith(HASHED_FOLDER) && !files.has(path)) files.set(path, readFile(folder, path, siteUrl))
    }
  }
  return files
}

function siblings(buildDirectory: string): string[] {
  const parent = join(buildDirectory, '..')
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name))
    .map((entry) => join(parent, entry.name))
}

/** Only known file types: source maps and folders of tools (`.vite`) are not served. */
function pathsIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in CONTENT_TYPES)
    .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`)
    .filter((path) => !path.includes('/.'))
}

function readFile(folder: string, path: string, siteUrl: string): PreparedResponse {
  const file = join(folder, path)
  const { type, compressible } = CONTENT_TYPES[extname(file)] ?? {
    type: 'application/octet-stream',
    compressible: false,
  }
  const headers: Header[] = [
    ...securityHeaders({ siteUrl, picture: type.startsWith('image/') }),
    ['content-security-policy', policyOf(path)],
    ['cache-control', cacheControlOf(path)],
  ]
  const content = { status: 200, contentType: type, body: readFileSync(file), headers, compressible }
  return existsSync(`${file}.br`)
    ? preparePackedResponse(content, readFileSync(`${file}.br`))
    : prepareResponse(content)
}

/** Service workers are updated by refetching, so they must not be served from an outdated cache. */
const WORKER = /-worker\.js$/

function policyOf(path: string): string {
  if (WORKER.test(path) && !path.startsWith(HASHED_FOLDER)) return WORKER_POLICY
  return path.endsWith('.svg') ? DRAWING_POLICY : CLOSED_POLICY
}

function cacheControlOf(path: string): string {
  if (path.startsWith(HASHED_FOLDER)) return CACHE_FOREVER
  return WORKER.test(path) ? 'no-cache' : CACHE_ONE_HOUR
}

/** A short plain-text response, for requests that are not page views. */
export function plainTextResponse(
  status: number,
  text: string,
  siteUrl: string,
  more: readonly Header[] = [],
): PreparedResponse {
  return prepareResponse({
    status,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(`${text}\n`),
    headers: [...apiHeaders(siteUrl), ...more],
    compressible: false,
  })
}
