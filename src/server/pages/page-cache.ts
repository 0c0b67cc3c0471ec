import { type PreparedResponse, responseBytes } from './prepared-response.ts'
import type { ServiceRead } from './render-page.ts'

interface CacheEntry {
  answer: PreparedResponse
  generation: number
  /** What it was rendered from; null if that is not known. */
  reads: readonly ServiceRead[] | null
  lastUsed: number
}

interface PageCacheOptions {
  maximumBytes: number
  now: () => number
}

/** The backoff after a failed render, so that not every request calls failing services. */
const RETRY_AFTER_MS = 1_000

/** Caches rendered responses by key. Entries of an older generation are served only if they are renewed, or if rendering fails. */
export class PageCache {
  #entries = new Map<string, CacheEntry>()
  #inFlight = new Map<string, { generation: number; result: Promise<PreparedResponse> }>()
  #retryAt = new Map<string, number>()
  #uses = 0
  readonly #maximumBytes: number
  readonly #now: () => number

  constructor({ maximumBytes, now }: PageCacheOptions) {
    this.#maximumBytes = maximumBytes
    this.#now = now
  }

  find(key: string, generation: number): PreparedResponse | null {
    const entry = this.#entries.get(key)
    if (!entry || entry.generation !== generation) return null
    entry.lastUsed = ++this.#uses
    return entry.answer
  }

  /** The response from before the content changed, if any. */
  findOutdated(key: string): PreparedResponse | null {
    return this.#entries.get(key)?.answer ?? null
  }

  /** What the response of an older generation was rendered from; null if it has to be rendered again. */
  readsOf(key: string): readonly ServiceRead[] | null {
    return this.#entries.get(key)?.reads ?? null
  }

  /** Serves the response of an older generation in this one too. */
  renew(key: string, generation: number): PreparedResponse | null {
    const entry = this.#entries.get(key)
    if (!entry) return null
    entry.generation = Math.max(entry.generation, generation)
    entry.lastUsed = ++this.#uses
    return entry.answer
  }

  hasJustFailed(key: string): boolean {
    const retryAt = this.#retryAt.get(key)
    return retryAt !== undefined && this.#now() < retryAt
  }

  markFailed(key: string): void {
    this.#retryAt.set(key, this.#now() + RETRY_AFTER_MS)
  }

  /** Concurrent requests for the same key share one render. */
  renderOnce(key: string, generation: number, make: () => Promise<PreparedResponse>): Promise<PreparedResponse> {
    const running = this.#inFlight.get(key)
    if (running?.generation === generation) return running.result
    const result = make().finally(() => {
      if (this.#inFlight.get(key)?.result === result) this.#inFlight.delete(key)
    })
    this.#inFlight.set(key, { generation, result })
    return result
  }

  set(key: string, generation: number, answer: PreparedResponse, reads: readonly ServiceRead[] | null = null): void {
    const existing = this.#entries.get(key)
    if (existing && existing.generation > generation) return
    this.#entries.set(key, { answer, generation, reads, lastUsed: ++this.#uses })
    this.#retryAt.delete(key)
    this.#evict()
  }

  /** Evicts the least recently used entries. Sizes are recomputed, because compressed bodies are added later. */
  #evict(): void {
    let total = 0
    for (const { answer } of this.#entries.values()) total += responseBytes(answer)
    if (total <= this.#maximumBytes) return
    const oldestFirst = [...this.#entries].sort(([, a], [, b]) => a.lastUsed - b.lastUsed)
    for (const [key, { answer }] of oldestFirst.slice(0, -1)) {
      if (total <= this.#maximumBytes) return
      this.#entries.delete(key)
      total -= responseBytes(answer)
    }
  }
}
