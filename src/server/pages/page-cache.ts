import { type Answer, bytesOf } from './answer.ts'

interface Kept {
  answer: Answer
  generation: number
  lastUsed: number
}

interface PageCacheOptions {
  maximumBytes: number
  now: () => number
}

/** How long after a failure the next attempt is made: services in trouble are not asked by every visitor. */
const RETRY_AFTER_MS = 1_000

/** Finished answers by key. One of an older generation is never found, but stands in when a new one can not be made. */
export class PageCache {
  #kept = new Map<string, Kept>()
  #making = new Map<string, { generation: number; result: Promise<Answer> }>()
  #retryAt = new Map<string, number>()
  #uses = 0
  readonly #maximumBytes: number
  readonly #now: () => number

  constructor({ maximumBytes, now }: PageCacheOptions) {
    this.#maximumBytes = maximumBytes
    this.#now = now
  }

  find(key: string, generation: number): Answer | null {
    const kept = this.#kept.get(key)
    if (!kept || kept.generation !== generation) return null
    kept.lastUsed = ++this.#uses
    return kept.answer
  }

  /** The answer that held before the content changed, if there was one. */
  findOutdated(key: string): Answer | null {
    return this.#kept.get(key)?.answer ?? null
  }

  hasJustFailed(key: string): boolean {
    const retryAt = this.#retryAt.get(key)
    return retryAt !== undefined && this.#now() < retryAt
  }

  markFailed(key: string): void {
    this.#retryAt.set(key, this.#now() + RETRY_AFTER_MS)
  }

  /** Everyone who asks for the same thing at the same time waits for one making of it. */
  makeOnce(key: string, generation: number, make: () => Promise<Answer>): Promise<Answer> {
    const running = this.#making.get(key)
    if (running?.generation === generation) return running.result
    const result = make().finally(() => {
      if (this.#making.get(key)?.result === result) this.#making.delete(key)
    })
    this.#making.set(key, { generation, result })
    return result
  }

  keep(key: string, generation: number, answer: Answer): void {
    const before = this.#kept.get(key)
    if (before && before.generation > generation) return
    this.#kept.set(key, { answer, generation, lastUsed: ++this.#uses })
    this.#retryAt.delete(key)
    this.#makeRoom()
  }

  /** Drops what was not used for longest. Sizes are counted anew, since compressed forms arrive later. */
  #makeRoom(): void {
    let total = 0
    for (const { answer } of this.#kept.values()) total += bytesOf(answer)
    if (total <= this.#maximumBytes) return
    const oldestFirst = [...this.#kept].sort(([, a], [, b]) => a.lastUsed - b.lastUsed)
    for (const [key, { answer }] of oldestFirst.slice(0, -1)) {
      if (total <= this.#maximumBytes) return
      this.#kept.delete(key)
      total -= bytesOf(answer)
    }
  }
}
