import type { Clock } from '#server/lib/clock.ts'
import { type Header, securityHeaders } from '#server/http/security-headers.ts'
import { addBrotli, type PreparedResponse, type ResponseContent, prepareResponse } from './prepared-response.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { gzip } from './encodings.ts'
import type { PageMetadata } from './page-metadata.ts'
import { PageCache } from './page-cache.ts'
import type { RenderedPage, RenderPage } from './render-page.ts'

export interface CachingRendererOptions {
  render: RenderPage
  siteUrl: string
  /** Changes with every change of content; called on every request. */
  contentVersion: () => string | number
  /** Today in the association's time zone: lists of upcoming events change at midnight. Called at most once per second. */
  today: () => string
  clock: Pick<Clock, 'now'>
  imageOrigins: readonly string[]
  maximumBytes: number
  renderTimeoutMs: number
  onError: (error: unknown, address: string) => void
}

/** The page to render; `metadata` is null for the 404 page. */
export interface PageToRender {
  key: string
  metadata: PageMetadata | null
  /** Overrides the status. */
  status?: number
}

/** The services failed and there is no outdated copy of the page. */
export class PageUnavailable extends Error {
  override readonly name = 'PageUnavailable'
}

/**
 * Renders pages and caches them until the content or the day changes. `find` only looks in the cache; `get` renders if needed.
 */
export class CachingRenderer {
  readonly #options: CachingRendererOptions
  readonly #cache: PageCache
  #generation = 0
  #version: string | number = ''
  #today = ''
  #second = 0
  #compressing: Promise<void> = Promise.resolve()

  constructor(options: CachingRendererOptions) {
    this.#options = options
    this.#cache = new PageCache({ maximumBytes: options.maximumBytes, now: () => options.clock.now() })
  }

  /** Increases when the content or the day changes. Cheap: the day is checked once per second. */
  generation(): number {
    return this.#currentGeneration()
  }

  find(key: string): PreparedResponse | null {
    return this.#cache.find(key, this.#currentGeneration())
  }

  /** @throws PageUnavailable */
  async get(wanted: PageToRender): Promise<PreparedResponse> {
    const generation = this.#currentGeneration()
    const { key } = wanted
    const cached = this.#cache.find(key, generation)
    if (cached) return cached
    if (this.#cache.hasJustFailed(key)) return this.#outdatedOrThrow(key)
    return this.#cache.renderOnce(key, generation, () => this.#render(wanted, generation))
  }

  async #render(wanted: PageToRender, generation: number): Promise<PreparedResponse> {
    const { key } = wanted
    const rendered = await this.#renderInTime(key)
    if (!rendered || (rendered.servicesFailed && rendered.status >= 500)) {
      this.#cache.markFailed(key)
      return this.#outdatedOrThrow(key)
    }
    const content = this.#contentOf(wanted, rendered)
    const response = prepareResponse(content)
    if (content.status < 500) {
      this.#cache.set(key, generation, response)
      this.#compressLater(() => addBrotli(response, content))
    }
    return response
  }

  #outdatedOrThrow(key: string): PreparedResponse {
    const outdated = this.#cache.findOutdated(key)
    if (outdated) return outdated
    throw new PageUnavailable(`${key} cannot be rendered: its services failed`)
  }

  /** Returns null if rendering failed or timed out. */
  async #renderInTime(key: string): Promise<RenderedPage | null> {
    const { render, renderTimeoutMs, onError } = this.#options
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`Rendering took over ${renderTimeoutMs} ms`)), renderTimeoutMs)
    })
    try {
      return await Promise.race([render(key), tooLate])
    } catch (error) {
      onError(error, key)
      return null
    } finally {
      clearTimeout(timer)
    }
  }

  #contentOf({ metadata, status }: PageToRender, rendered: RenderedPage): ResponseContent {
    const { siteUrl, imageOrigins } = this.#options
    const failed = rendered.status >= 500
    const policy = contentSecurityPolicy({
      html: rendered.contentType.startsWith('text/html') ? rendered.body.toString() : '',
      siteUrl,
      thirdParties: rendered.rootData,
      imageOrigins,
      worker: metadata?.worker,
    })
    const headers: Header[] = [
      ...securityHeaders({ siteUrl, secretAddress: metadata?.hasSecretUrl, camera: metadata?.camera }),
      ['content-security-policy', policy],
      ['cache-control', failed ? 'no-store' : 'no-cache'],
      ...rendered.frameworkHeaders,
    ]
    if (!metadata?.indexed) headers.push(['x-robots-tag', 'noindex'])
    return {
      status: failed ? rendered.status : (status ?? rendered.status),
      contentType: rendered.contentType,
      body: rendered.body,
      headers,
      compressible: true,
      gzip: gzip(rendered.body),
    }
  }

  /** Compresses one page at a time, so that a content change does not occupy all the threads that password hashing needs. */
  #compressLater(compress: () => Promise<void>): void {
    this.#compressing = this.#compressing.then(compress).catch((error: unknown) => {
      this.#options.onError(error, 'compression')
    })
  }

  #currentGeneration(): number {
    const version = this.#options.contentVersion()
    const second = Math.floor(this.#options.clock.now() / 1000)
    if (version === this.#version && second === this.#second) return this.#generation
    const today = second === this.#second ? this.#today : this.#options.today()
    if (version !== this.#version || today !== this.#today) this.#generation++
    this.#version = version
    this.#today = today
    this.#second = second
    return this.#generation
  }
}
