import type { Clock } from '#server/lib/clock.ts'
import { type Header, securityHeaders } from '#server/http/security-headers.ts'
import { addBrotli, type PreparedResponse, type ResponseContent, prepareResponse } from './prepared-response.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { gzip } from './encodings.ts'
import type { PageMetadata } from './page-metadata.ts'
import { PageCache } from './page-cache.ts'
import type { RenderedPage, RenderPage, ServiceRead } from './render-page.ts'

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
 * Renders pages and caches them until what they show changes (decision record 43). After a change of content, or of the day, the first request for a
 * page calls its services again and renders the page only if one of them returns something else. `find` only looks in the cache; `get` does all that.
 */
export class CachingRenderer {
  readonly #options: CachingRendererOptions
  readonly #cache: PageCache
  #generation = 0
  #version: string | number = ''
  #today = ''
  #second = 0
  #compressing: Promise<void> = Promise.resolve()
  /** Fingerprints of service calls in one generation, which many pages share. */
  #fingerprints = new Map<string, Promise<string>>()
  #fingerprintGeneration = 0

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

  /** The response of any generation, if there is one. */
  findAny(key: string): PreparedResponse | null {
    return this.#cache.findOutdated(key)
  }

  /** @throws PageUnavailable */
  async get(wanted: PageToRender): Promise<PreparedResponse> {
    const generation = this.#currentGeneration()
    const { key } = wanted
    if (wanted.metadata?.isLive) return this.#renderLive(wanted)
    const cached = this.#cache.find(key, generation)
    if (cached) return cached
    if (this.#cache.hasJustFailed(key)) return this.#outdatedOrThrow(key)
    return this.#cache.renderOnce(key, generation, () => this.#renewOrRender(wanted, generation))
  }

  /** Reads everything again and keeps nothing: no one who left is shown, also not while the services fail. @throws PageUnavailable */
  async #renderLive(wanted: PageToRender): Promise<PreparedResponse> {
    const rendered = await this.#renderInTime(wanted.key)
    if (!rendered || (rendered.servicesFailed && rendered.status >= 500))
      throw new PageUnavailable(`${wanted.key} cannot be rendered: its services failed`)
    return prepareResponse(this.#contentOf(wanted, rendered))
  }

  async #renewOrRender(wanted: PageToRender, generation: number): Promise<PreparedResponse> {
    const renewed = (await this.#isUnchanged(wanted.key, generation)) ? this.#cache.renew(wanted.key, generation) : null
    return renewed ?? this.#render(wanted, generation)
  }

  /** Whether everything the cached page was rendered from is still the same. */
  async #isUnchanged(key: string, generation: number): Promise<boolean> {
    const reads = this.#cache.readsOf(key)
    if (!reads) return false
    const compared = Promise.all(
      reads.map(async (read) => (await this.#fingerprintOf(read, generation)) === read.fingerprint),
    )
    // A service that fails or hangs: rendering will report it.
    const same = await this.#inTime(compared).catch(() => [false])
    return same.every(Boolean)
  }

  #fingerprintOf(read: ServiceRead, generation: number): Promise<string> {
    if (this.#fingerprintGeneration !== generation) this.#fingerprints = new Map()
    this.#fingerprintGeneration = generation
    const known = this.#fingerprints.get(read.key) ?? read.again()
    this.#fingerprints.set(read.key, known)
    return known
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
      this.#cache.set(key, generation, response, rendered.reads)
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
    const { render, onError } = this.#options
    return this.#inTime(render(key)).catch((error: unknown) => {
      onError(error, key)
      return null
    })
  }

  /** @throws Error if the work takes longer than a page may */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    const { renderTimeoutMs } = this.#options
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`Rendering took over ${renderTimeoutMs} ms`)), renderTimeoutMs)
    })
    return Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
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
      ['cache-control', failed || metadata?.isLive ? 'no-store' : 'no-cache'],
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
