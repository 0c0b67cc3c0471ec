import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PreparedResponse } from './prepared-response.ts'
import { paletteOf, type Palette } from '#contract/brand/palette.ts'
import { createBrandResponses, type FindBrandFile } from './brand-responses.ts'
import { createDocumentServer, type FindDocument } from './documents.ts'
import { createFailurePages } from './failure-page.ts'
import { createPageResolver, createNotFoundResolver, type PageRoute } from './page-resolver.ts'
import { CachingRenderer, type CachingRendererOptions, PageUnavailable, type PageToRender } from './caching-renderer.ts'
import { sendResponse } from './send-response.ts'
import { HASHED_FOLDER, plainTextResponse } from './static-files.ts'

/** A completed request, for the access log; the path has no query string. */
export interface CompletedRequest {
  method: string
  path: string
  status: number
  ms: number
  source: ResponseSource
}

/** The source of a response: a cached page, a page rendered for this request, a file of the build, a calendar or feed, or a redirect or error. */
export type ResponseSource = 'memory' | 'made' | 'file' | 'document' | 'none'

export interface Pages {
  /**
   * Handles requests for pages, their data and files of the build. Returns false for other requests, without touching them.
   * Call it before any other routing.
   */
  handle(req: IncomingMessage, res: ServerResponse): boolean
  /** Whether a URL of the site, without query and fragment, is a page or a file. */
  knows(address: string): boolean
  /** Sends the 404 page for an unknown URL, or plain text for a missing image or script. */
  sendNotFound(req: IncomingMessage, res: ServerResponse): void
  /** Starts draining: every response closes its connection, so that the process can exit. */
  stop(): void
}

/** @param options with `hasQueryOnly`, only an entry for exactly this query counts */
export type FindRedirect = (target: string, options?: { hasQueryOnly: boolean }) => string | null

export interface PageServerOptions extends CachingRendererOptions {
  pages: readonly PageRoute[]
  /** Static files by path. */
  files: Map<string, PreparedResponse>
  contentPaths?: () => ReadonlySet<string>
  movedPaths?: () => ReadonlyMap<string, string>
  /** Where an address of a former website leads, with its query; null for others. */
  findRedirect?: FindRedirect
  findDocument?: FindDocument
  /** Icons and other files in the look of the association. */
  findBrandFile?: FindBrandFile
  /** The colors of the failure page. */
  palette?: () => Palette
  onCompleted?: (completed: CompletedRequest) => void
}

const API_PREFIX = '/api/'

/** Resources that pages or programs load. Other paths with a dot may be bookmarks of an older site, which get the 404 page. */
const RESOURCE =
  /\.(?:avif|bmp|css|data|eot|gif|ico|jpe?g|js|json|map|mjs|mp3|mp4|otf|png|svg|ttf|txt|webm|webmanifest|webp|woff2?|xml)$/i

export function createPageServer(options: PageServerOptions): Pages {
  const { pages, files, siteUrl, onError, onCompleted } = options
  const findRedirect = options.findRedirect ?? (() => null)
  const maker = new CachingRenderer(options)
  const resolve = createPageResolver(pages, options.contentPaths, options.movedPaths)
  const notFoundKey = createNotFoundResolver(pages)
  const documentAt = createDocumentServer({ find: options.findDocument ?? (() => null), siteUrl }, () =>
    maker.generation(),
  )
  const brandFileAt = createBrandResponses(options.findBrandFile ?? (() => null), siteUrl)
  const failurePage = createFailurePages(siteUrl, options.palette ?? (() => paletteOf()))
  const fileNotFound = plainTextResponse(404, 'Not found', siteUrl)
  const methodNotAllowed = plainTextResponse(405, 'Method not allowed', siteUrl, [['allow', 'GET, HEAD']])
  let closing = false

  function send(
    req: IncomingMessage,
    res: ServerResponse,
    answer: PreparedResponse,
    source: ResponseSource,
    startedAt: number,
  ): true {
    const status = sendResponse(req, res, answer, closing)
    onCompleted?.({ method: req.method ?? '', path: pathOf(req), status, ms: performance.now() - startedAt, source })
    return true
  }

  function sendPage(req: IncomingMessage, res: ServerResponse, wanted: PageToRender, startedAt: number): true {
    const known = maker.findAny(wanted.key)
    maker
      .get(wanted)
      .catch((error: unknown) => {
        if (!(error instanceof PageUnavailable)) onError(error, wanted.key)
        return failurePage()
      })
      .then((answer) => send(req, res, answer, answer === known ? 'memory' : 'made', startedAt))
      .catch((error: unknown) => onError(error, wanted.key))
    return true
  }

  /** If it cannot be made, the file of the build is sent. */
  function sendWhenMade(
    req: IncomingMessage,
    res: ServerResponse,
    made: Promise<PreparedResponse>,
    startedAt: number,
  ): true {
    const path = pathOf(req)
    made
      .catch(() => files.get(path) ?? fileNotFound)
      .then((answer) => send(req, res, answer, 'file', startedAt))
      .catch((error: unknown) => onError(error, path))
    return true
  }

  function move(req: IncomingMessage, res: ServerResponse, location: string, startedAt: number): true {
    return send(req, res, plainTextResponse(308, 'Moved', siteUrl, [['location', location]]), 'none', startedAt)
  }

  /** 301: search engines and browsers remember it (RFC 9110, 15.4.2). */
  function redirect(req: IncomingMessage, res: ServerResponse, location: string, startedAt: number): true {
    return send(req, res, plainTextResponse(301, 'Moved', siteUrl, [['location', location]]), 'none', startedAt)
  }

  return {
    handle(req, res) {
      const startedAt = performance.now()
      const { method, url = '/' } = req
      // Skip the page lookup for API requests.
      if (url.startsWith(API_PREFIX)) return false
      const isRead = method === 'GET' || method === 'HEAD'
      if (isRead) {
        // Most request URLs equal the cache key.
        const cached = maker.find(url)
        if (cached) return send(req, res, cached, 'memory', startedAt)
      }
      const path = pathOf(req)
      const brandFile = isRead ? brandFileAt(path) : null
      if (brandFile) return sendWhenMade(req, res, brandFile, startedAt)
      const file = files.get(path)
      if (file) return send(req, res, isRead ? file : methodNotAllowed, 'file', startedAt)
      if (path.startsWith(HASHED_FOLDER)) return send(req, res, fileNotFound, 'file', startedAt)
      const resolved = resolve(url)
      if (resolved.kind === 'unknown') {
        const document = documentAt(path)
        return document ? send(req, res, isRead ? document : methodNotAllowed, 'document', startedAt) : false
      }
      if (!isRead) return send(req, res, methodNotAllowed, 'none', startedAt)
      if (resolved.kind === 'moved') return move(req, res, resolved.location, startedAt)
      const { key, page } = resolved.address
      // WordPress has addresses such as `/?p=123`: a query that the page itself does not read may be an old address.
      if (url !== path && key === path) {
        const location = findRedirect(url, { hasQueryOnly: true })
        if (location !== null) return redirect(req, res, location, startedAt)
      }
      return sendPage(req, res, { key, metadata: page.metadata }, startedAt)
    },

    knows(address) {
      const path = address.split(/[?#]/)[0] ?? address
      return files.has(path) || resolve(path).kind !== 'unknown' || documentAt(path) !== null
    },

    sendNotFound(req, res) {
      const startedAt = performance.now()
      const isRead = req.method === 'GET' || req.method === 'HEAD'
      const location = isRead ? findRedirect(req.url ?? '/') : null
      if (location !== null) redirect(req, res, location, startedAt)
      else if (!isRead || RESOURCE.test(pathOf(req))) send(req, res, fileNotFound, 'file', startedAt)
      else sendPage(req, res, { key: notFoundKey(pathOf(req)), metadata: null, status: 404 }, startedAt)
    },

    stop() {
      closing = true
    },
  }
}

function pathOf(req: IncomingMessage): string {
  const url = req.url ?? '/'
  const question = url.indexOf('?')
  return question < 0 ? url : url.slice(0, question)
}
