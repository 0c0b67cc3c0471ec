import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { mediaFolders, type Bucket } from '#contract/public/media.ts'
import { sendProblem } from '#server/http/error-responses.ts'
import { CLOSED_POLICY, DRAWING_POLICY, securityHeaders } from '#server/http/security-headers.ts'
import {
  type PreparedResponse,
  responseBytes,
  type ResponseContent,
  prepareResponse,
  preparePackedResponse,
} from '#server/pages/prepared-response.ts'
import { brotli } from '#server/pages/encodings.ts'
import { sendResponse } from '#server/pages/send-response.ts'
import { Problem } from '#server/lib/problem.ts'
import { MEDIA_PATH, fileVersion } from './disk-store.ts'
import { pictureContentType, SIZES_FOLDER } from './pictures/picture-files.rules.ts'

const MAX_CACHED_BYTES = 24 * 1024 * 1024
const CACHE_FOREVER = 'public, max-age=31536000, immutable'
const CACHE_ONE_HOUR = 'public, max-age=3600, stale-while-revalidate=86400'

/** Serves the pictures of the disk store: only pictures, and only from known buckets and folders. */
export function mediaFileRoutes(app: FastifyInstance, options: { directory: string; siteUrl: string }): void {
  const responses = new ResponseCache(options.siteUrl)

  app.route({
    method: ['GET', 'HEAD'],
    url: `${MEDIA_PATH}*`,
    async handler(request, reply) {
      // NOTE: Fastify's parameter is not used, because it has encoded slashes already decoded.
      const [path = '', query = ''] = request.raw.url?.split('?') ?? []
      const found = pictureAt(path)
      const response = found && (await responses.get({ ...found, file: join(options.directory, found.path), query }))
      if (!response) return reply.callNotFound()
      reply.hijack()
      sendResponse(request.raw, reply.raw, response, false)
      return reply
    },
  })
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: `${MEDIA_PATH}*`,
    handler: (_request, reply) => sendProblem(reply.header('allow', 'GET, HEAD'), new Problem('METHOD_NOT_ALLOWED')),
  })
}

/** Resolves a URL path to a file below the media folder; null unless each segment is a valid bucket, folder or file name. */
function pictureAt(path: string): { path: string; contentType: string } | null {
  const parts = path.slice(MEDIA_PATH.length).split('/').map(decode)
  const [bucket = '', folder = '', ...rest] = parts
  if (!Object.hasOwn(mediaFolders, bucket)) return null
  if (!(mediaFolders[bucket as Bucket] as readonly string[]).includes(folder)) return null
  const name = rest.at(-1) ?? ''
  const isValidDepth = rest.length === 1 || (rest.length === 2 && rest[0] === SIZES_FOLDER)
  const contentType = pictureContentType(name)
  return isValidDepth && contentType ? { path: join(bucket, folder, ...rest), contentType } : null
}

/** Decodes once; returns an empty string for invalid encodings. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** An LRU cache of responses; an entry is valid until its file changes. */
class ResponseCache {
  readonly #siteUrl: string
  readonly #entries = new Map<string, { version: string; answer: PreparedResponse }>()
  readonly #reading = new Map<string, Promise<PreparedResponse>>()
  #bytes = 0

  constructor(siteUrl: string) {
    this.#siteUrl = siteUrl
  }

  /** Returns null if the file does not exist. */
  async get({
    file,
    query,
    contentType,
  }: {
    file: string
    query: string
    contentType: string
  }): Promise<PreparedResponse | null> {
    // O_NOFOLLOW: a symbolic link may point outside the folder.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null)
    if (!handle) return null
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) return null
      const version = fileVersion(stats)
      const isVersioned = query === `v=${version}`
      const key = `${file} ${isVersioned}`
      const cached = this.#entries.get(key)
      if (cached?.version === version) return cached.answer
      return await this.#readOnce(`${key} ${version}`, async () => {
        const answer = await this.#createResponse(await handle.readFile(), contentType, isVersioned)
        this.#add(key, version, answer)
        return answer
      })
    } finally {
      await handle.close()
    }
  }

  /** Concurrent requests for the same file share one read. */
  #readOnce(key: string, read: () => Promise<PreparedResponse>): Promise<PreparedResponse> {
    const reading = this.#reading.get(key) ?? read().finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }

  async #createResponse(body: Buffer, contentType: string, isVersioned: boolean): Promise<PreparedResponse> {
    const isDrawing = contentType === 'image/svg+xml'
    const content: ResponseContent = {
      status: 200,
      contentType: isDrawing ? `${contentType}; charset=utf-8` : contentType,
      body,
      headers: [
        ...securityHeaders({ siteUrl: this.#siteUrl, picture: true }),
        ['content-security-policy', isDrawing ? DRAWING_POLICY : CLOSED_POLICY],
        ['cache-control', isVersioned ? CACHE_FOREVER : CACHE_ONE_HOUR],
      ],
      compressible: isDrawing,
    }
    return isDrawing ? preparePackedResponse(content, await brotli(body)) : prepareResponse(content)
  }

  #add(key: string, version: string, answer: PreparedResponse): void {
    this.#delete(key)
    this.#entries.set(key, { version, answer })
    this.#bytes += responseBytes(answer)
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MAX_CACHED_BYTES) break
      this.#delete(oldest)
    }
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#bytes -= responseBytes(entry.answer)
  }
}
