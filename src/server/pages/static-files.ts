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
import { type Answer, createAnswer, createPackedAnswer } from './answer.ts'

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

/** Where the bundler puts what it names by content: such a file never changes. */
export const HASHED_FOLDER = '/assets/'
const FOR_GOOD = 'public, max-age=31536000, immutable'
const FOR_AN_HOUR = 'public, max-age=3600, stale-while-revalidate=86400'

/**
 * Every file of the build, finished and in memory (under 3 MB), by path. Hashed files of the build before are among them, for
 * browsers that still show a page of it.
 */
export function readStaticFiles(buildDirectory: string, siteUrl: string): Map<string, Answer> {
  const files = new Map<string, Answer>()
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

/** Only files of a kind we know: a folder left by a tool (`.vite`), or a source map, is nobody's business. */
function pathsIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in CONTENT_TYPES)
    .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`)
    .filter((path) => !path.includes('/.'))
}

function readFile(folder: string, path: string, siteUrl: string): Answer {
  const file = join(folder, path)
  const { type, compressible } = CONTENT_TYPES[extname(file)] ?? {
    type: 'application/octet-stream',
    compressible: false,
  }
  const headers: Header[] = [
    ...securityHeaders({ siteUrl, picture: type.startsWith('image/') }),
    ['content-security-policy', policyOf(path)],
    ['cache-control', freshnessOf(path)],
  ]
  const content = { status: 200, contentType: type, body: readFileSync(file), headers, compressible }
  return existsSync(`${file}.br`) ? createPackedAnswer(content, readFileSync(`${file}.br`)) : createAnswer(content)
}

/** A worker stays with its browser: the present one must be found whenever it looks. */
const WORKER = /-worker\.js$/

function policyOf(path: string): string {
  if (WORKER.test(path) && !path.startsWith(HASHED_FOLDER)) return WORKER_POLICY
  return path.endsWith('.svg') ? DRAWING_POLICY : CLOSED_POLICY
}

function freshnessOf(path: string): string {
  if (path.startsWith(HASHED_FOLDER)) return FOR_GOOD
  return WORKER.test(path) ? 'no-cache' : FOR_AN_HOUR
}

/** A short answer in words, for what no person looks at as a page. */
export function plainAnswer(status: number, text: string, siteUrl: string, more: readonly Header[] = []): Answer {
  return createAnswer({
    status,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(`${text}\n`),
    headers: [...apiHeaders(siteUrl), ...more],
    compressible: false,
  })
}
