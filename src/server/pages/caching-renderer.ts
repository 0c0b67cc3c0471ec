import type { Clock } from '../platform/clock.ts'
import { type Header, securityHeaders } from '../http/security-headers.ts'
import { addBrotli, type Answer, type Content, createAnswer } from './answer.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { gzip } from './encodings.ts'
import type { PageFacts } from './page-facts.ts'
import { PageCache } from './page-cache.ts'
import type { RenderedPage, RenderPage } from './render-page.ts'

export interface PageMakerOptions {
  render: RenderPage
  siteUrl: string
  /** Raised by every change of content; asked on every request. */
  contentVersion: () => string | number
  /** The association's day: upcoming events change at its midnight. Asked once a second. */
  today: () => string
  clock: Pick<Clock, 'now'>
  imageOrigins: readonly string[]
  maximumBytes: number
  renderTimeoutMs: number
  onError: (error: unknown, address: string) => void
}

/** What to make: facts are null for the page of unknown addresses. */
export interface WantedPage {
  key: string
  facts: PageFacts | null
  /** Set where the status is known beforehand. */
  status?: number
}

/** The services failed and no older form of the page exists. */
export class PageUnavailable extends Error {
  override readonly name = 'PageUnavailable'
}

/**
 * Makes pages and keeps them until the content or the day changes. `find` is the quick way for what is there; `get` makes what
 * is not.
 */
export class PageMaker {
  readonly #options: PageMakerOptions
  readonly #cache: PageCache
  #generation = 0
  #version: string | number = ''
  #today = ''
  #second = 0
  #compressing: Promise<void> = Promise.resolve()

  constructor(options: PageMakerOptions) {
    this.#options = options
    this.#cache = new PageCache({ maximumBytes: options.maximumBytes, now: () => options.clock.now() })
  }

  /** Rises when the content or the day changes. Cheap: the day is asked for once a second. */
  generation(): number {
    return this.#currentGeneration()
  }

  find(key: string): Answer | null {
    return this.#cache.find(key, this.#currentGeneration())
  }

  /** @throws PageUnavailable */
  async get(wanted: WantedPage): Promise<Answer> {
    const generation = this.#currentGeneration()
    const { key } = wanted
    const ready = this.#cache.find(key, generation)
    if (ready) return ready
    if (this.#cache.hasJustFailed(key)) return this.#standInFor(key)
    return this.#cache.makeOnce(key, generation, () => this.#make(wanted, generation))
  }

  async #make(wanted: WantedPage, generation: number): Promise<Answer> {
    const { key } = wanted
    const rendered = await this.#renderInTime(key)
    if (!rendered || (rendered.servicesFailed && rendered.status >= 500)) {
      this.#cache.markFailed(key)
      return this.#standInFor(key)
    }
    const content = this.#contentOf(wanted, rendered)
    const answer = createAnswer(content)
    if (content.status < 500) {
      this.#cache.keep(key, generation, answer)
      this.#compressLater(() => addBrotli(answer, content))
    }
    return answer
  }

  #standInFor(key: string): Answer {
    const outdated = this.#cache.findOutdated(key)
    if (outdated) return outdated
    throw new PageUnavailable(`${key} can not be rendered: its services fail`)
  }

  /** null when it failed or took too long. */
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

  #contentOf({ facts, status }: WantedPage, rendered: RenderedPage): Content {
    const { siteUrl, imageOrigins } = this.#options
    const failed = rendered.status >= 500
    const policy = contentSecurityPolicy({
      html: rendered.contentType.startsWith('text/html') ? rendered.body.toString() : '',
      siteUrl,
      thirdParties: rendered.frame,
      imageOrigins,
      worker: facts?.worker,
    })
    const headers: Header[] = [
      ...securityHeaders({ siteUrl, secretAddress: facts?.secretAddress, camera: facts?.camera }),
      ['content-security-policy', policy],
      ['cache-control', failed ? 'no-store' : 'no-cache'],
      ...rendered.frameworkHeaders,
    ]
    if (!facts?.indexed) headers.push(['x-robots-tag', 'noindex'])
    return {
      status: failed ? rendered.status : (status ?? rendered.status),
      contentType: rendered.contentType,
      body: rendered.body,
      headers,
      compressible: true,
      gzip: gzip(rendered.body),
    }
  }

  /** One page after the other, so that a change of content does not take all the threads that passwords need too. */
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
