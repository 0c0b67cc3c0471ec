import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'
import { createDocumentServer, type FindDocument } from './documents.ts'
import { createFailurePage } from './failure-page.ts'
import { createAddressBook, createNotFoundBook, type KnownPage } from './page-addresses.ts'
import { PageMaker, type PageMakerOptions, PageUnavailable, type WantedPage } from './page-maker.ts'
import { sendAnswer } from './send-answer.ts'
import { HASHED_FOLDER, plainAnswer } from './static-files.ts'

/** One answered request, for the access log: the path never carries a query. */
export interface AnsweredRequest {
  method: string
  path: string
  status: number
  ms: number
  source: AnswerSource
}

/** Where an answer came from: a page of memory, a page made for this request, a file of the build, a calendar or feed, or a refusal. */
export type AnswerSource = 'memory' | 'made' | 'file' | 'document' | 'none'

export interface Pages {
  /**
   * Answers the request when it is for a page, a file of the build or a page's data; false leaves it to others, untouched.
   * Meant to be asked first, before any routing.
   */
  handle(req: IncomingMessage, res: ServerResponse): boolean
  /** Whether an address of the site, query and fragment aside, is a page or a file. */
  knows(address: string): boolean
  /** For an address that nobody knows: the page that says so, with status 404; in a word for a missing picture or script. */
  answerNotFound(req: IncomingMessage, res: ServerResponse): void
  /** From now on every answer ends its connection, so that the process can end. */
  stop(): void
}

export interface PageServerOptions extends PageMakerOptions {
  pages: readonly KnownPage[]
  /** Everything that is finished beforehand, by path. */
  files: Map<string, Answer>
  contentPaths?: () => ReadonlySet<string>
  findDocument?: FindDocument
  onAnswered?: (answered: AnsweredRequest) => void
}

const CALLS = '/api/'

/** What pages load and programs read. Everything else with a dot may be an address that somebody kept from an older site. */
const PART_OF_A_PAGE =
  /\.(?:avif|bmp|css|data|eot|gif|ico|jpe?g|js|json|map|mjs|mp3|mp4|otf|png|svg|ttf|txt|webm|webmanifest|webp|woff2?|xml)$/i

export function createPageServer(options: PageServerOptions): Pages {
  const { pages, files, siteUrl, onError, onAnswered } = options
  const maker = new PageMaker(options)
  const resolve = createAddressBook(pages, options.contentPaths)
  const notFoundKey = createNotFoundBook(pages)
  const documentAt = createDocumentServer({ find: options.findDocument ?? (() => null), siteUrl }, () =>
    maker.generation(),
  )
  const failurePage = createFailurePage(siteUrl)
  const fileNotFound = plainAnswer(404, 'Not found', siteUrl)
  const methodNotAllowed = plainAnswer(405, 'Method not allowed', siteUrl, [['allow', 'GET, HEAD']])
  let closing = false

  function send(
    req: IncomingMessage,
    res: ServerResponse,
    answer: Answer,
    source: AnswerSource,
    startedAt: number,
  ): true {
    const status = sendAnswer(req, res, answer, closing)
    onAnswered?.({ method: req.method ?? '', path: pathOf(req), status, ms: performance.now() - startedAt, source })
    return true
  }

  function make(req: IncomingMessage, res: ServerResponse, wanted: WantedPage, startedAt: number): true {
    const source = maker.find(wanted.key) ? 'memory' : 'made'
    maker
      .get(wanted)
      .catch((error: unknown) => {
        if (!(error instanceof PageUnavailable)) onError(error, wanted.key)
        return failurePage
      })
      .then((answer) => send(req, res, answer, source, startedAt))
      .catch((error: unknown) => onError(error, wanted.key))
    return true
  }

  function move(req: IncomingMessage, res: ServerResponse, location: string, startedAt: number): true {
    return send(req, res, plainAnswer(308, 'Moved', siteUrl, [['location', location]]), 'none', startedAt)
  }

  return {
    handle(req, res) {
      const startedAt = performance.now()
      const { method, url = '/' } = req
      // Calls are most of what is no page: they are not looked for among pages.
      if (url.startsWith(CALLS)) return false
      const reads = method === 'GET' || method === 'HEAD'
      if (reads) {
        // Most addresses arrive exactly as their page is kept.
        const ready = maker.find(url)
        if (ready) return send(req, res, ready, 'memory', startedAt)
      }
      const path = pathOf(req)
      const file = files.get(path)
      if (file) return send(req, res, reads ? file : methodNotAllowed, 'file', startedAt)
      if (path.startsWith(HASHED_FOLDER)) return send(req, res, fileNotFound, 'file', startedAt)
      const resolved = resolve(url)
      if (resolved.kind === 'unknown') {
        const document = documentAt(path)
        return document ? send(req, res, reads ? document : methodNotAllowed, 'document', startedAt) : false
      }
      if (!reads) return send(req, res, methodNotAllowed, 'none', startedAt)
      if (resolved.kind === 'moved') return move(req, res, resolved.location, startedAt)
      const { key, page } = resolved.address
      return make(req, res, { key, facts: page.facts }, startedAt)
    },

    knows(address) {
      const path = address.split(/[?#]/)[0] ?? address
      return files.has(path) || resolve(path).kind !== 'unknown' || documentAt(path) !== null
    },

    answerNotFound(req, res) {
      const startedAt = performance.now()
      const reads = req.method === 'GET' || req.method === 'HEAD'
      if (!reads || PART_OF_A_PAGE.test(pathOf(req))) send(req, res, fileNotFound, 'file', startedAt)
      else make(req, res, { key: notFoundKey(pathOf(req)), facts: null, status: 404 }, startedAt)
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
