/** Reproducible randomness: the same seed gives the same run (`--seed`). Not for secrets. */
export class Random {
  #state: number

  /** @param seed with `salt`, so that a row draws the same numbers regardless of the rows before it */
  constructor(seed: number, salt = '') {
    this.#state = seed | 0
    for (const character of salt) this.#state = (Math.imul(this.#state, 31) + character.charCodeAt(0)) | 0
    for (let turn = 0; turn < 8; turn++) this.next()
  }

  /** From 0 up to but not including 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** An integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('Nothing to choose from')
    return choices[this.between(0, choices.length - 1)] as T
  }

  /** A shuffled copy (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items]
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.between(0, last)
      ;[shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T]
    }
    return shuffled
  }

  hex(bytes: number): string {
    return Array.from({ length: bytes }, () => this.between(0, 255).toString(16).padStart(2, '0')).join('')
  }
}
