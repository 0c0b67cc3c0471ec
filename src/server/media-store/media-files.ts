import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { mediaFolders, type Bucket } from '#contract/media.ts'
import { sendProblem } from '../http/error-responses.ts'
import { CLOSED_POLICY, DRAWING_POLICY, securityHeaders } from '../http/security-headers.ts'
import { type Answer, bytesOf, type Content, createAnswer, createPackedAnswer } from '../pages/answer.ts'
import { brotli } from '../pages/encodings.ts'
import { sendAnswer } from '../pages/send-answer.ts'
import { Problem } from '../platform/problem.ts'
import { MEDIA_PATH, versionOf } from './disk-store.ts'
import { pictureTypeOf, SIZES_FOLDER } from './picture-files.rules.ts'

const MAXIMUM_REMEMBERED_BYTES = 24 * 1024 * 1024
const FOR_GOOD = 'public, max-age=31536000, immutable'
const FOR_AN_HOUR = 'public, max-age=3600, stale-while-revalidate=86400'

/** Serves the pictures of the disk store: known buckets and folders, files that are pictures, and nothing else. */
export function mediaFileRoutes(app: FastifyInstance, options: { directory: string; siteUrl: string }): void {
  const answers = new RememberedAnswers(options.siteUrl)

  app.route({
    method: ['GET', 'HEAD'],
    url: `${MEDIA_PATH}*`,
    async handler(request, reply) {
      // NOTE: not Fastify's own parameter, in which an encoded slash is a slash already.
      const [path = '', query = ''] = request.raw.url?.split('?') ?? []
      const found = pictureAt(path)
      const answer = found && (await answers.get({ ...found, file: join(options.directory, found.path), query }))
      if (!answer) return reply.callNotFound()
      reply.hijack()
      sendAnswer(request.raw, reply.raw, answer, false)
      return reply
    },
  })
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: `${MEDIA_PATH}*`,
    handler: (_request, reply) => sendProblem(reply.header('allow', 'GET, HEAD'), new Problem('METHOD_NOT_ALLOWED')),
  })
}

/** The file an address names, below the folder of all media; null unless every part of it is one that we gave ourselves. */
function pictureAt(path: string): { path: string; contentType: string } | null {
  const parts = path.slice(MEDIA_PATH.length).split('/').map(decode)
  const [bucket = '', folder = '', ...rest] = parts
  if (!Object.hasOwn(mediaFolders, bucket)) return null
  if (!(mediaFolders[bucket as Bucket] as readonly string[]).includes(folder)) return null
  const name = rest.at(-1) ?? ''
  const isPlaced = rest.length === 1 || (rest.length === 2 && rest[0] === SIZES_FOLDER)
  const contentType = pictureTypeOf(name)
  return isPlaced && contentType ? { path: join(bucket, folder, ...rest), contentType } : null
}

/** Once; what cannot be decoded names nothing. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** Finished answers for the pictures asked for last, each until its file changes. */
class RememberedAnswers {
  readonly #siteUrl: string
  readonly #kept = new Map<string, { version: string; answer: Answer }>()
  readonly #reading = new Map<string, Promise<Answer>>()
  #bytes = 0

  constructor(siteUrl: string) {
    this.#siteUrl = siteUrl
  }

  /** null when there is no such file. */
  async get({
    file,
    query,
    contentType,
  }: {
    file: string
    query: string
    contentType: string
  }): Promise<Answer | null> {
    // A link may lead out of the folder.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null)
    if (!handle) return null
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) return null
      const version = versionOf(stats)
      const isLasting = query === `v=${version}`
      const key = `${file} ${isLasting}`
      const known = this.#kept.get(key)
      if (known?.version === version) return known.answer
      return await this.#readOnce(`${key} ${version}`, async () => {
        const answer = await this.#make(await handle.readFile(), contentType, isLasting)
        this.#keep(key, version, answer)
        return answer
      })
    } finally {
      await handle.close()
    }
  }

  /** Everybody who asks for the same at the same time waits for one reading of it. */
  #readOnce(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const reading = this.#reading.get(key) ?? read().finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }

  async #make(body: Buffer, contentType: string, isLasting: boolean): Promise<Answer> {
    const isDrawing = contentType === 'image/svg+xml'
    const content: Content = {
      status: 200,
      contentType: isDrawing ? `${contentType}; charset=utf-8` : contentType,
      body,
      headers: [
        ...securityHeaders({ siteUrl: this.#siteUrl, picture: true }),
        ['content-security-policy', isDrawing ? DRAWING_POLICY : CLOSED_POLICY],
        ['cache-control', isLasting ? FOR_GOOD : FOR_AN_HOUR],
      ],
      compressible: isDrawing,
    }
    return isDrawing ? createPackedAnswer(content, await brotli(body)) : createAnswer(content)
  }

  #keep(key: string, version: string, answer: Answer): void {
    this.#forget(key)
    this.#kept.set(key, { version, answer })
    this.#bytes += bytesOf(answer)
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAXIMUM_REMEMBERED_BYTES) break
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    const known = this.#kept.get(key)
    if (!known) return
    this.#kept.delete(key)
    this.#bytes -= bytesOf(known.answer)
  }
}
