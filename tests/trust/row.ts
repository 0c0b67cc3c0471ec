import type { Random } from './random.ts'
import type { World, WorldOptions } from './site.ts'

/** What a row found out. */
export interface Measured {
  /** The figure reached, in words, made from what was counted. */
  reached: string
  passed: boolean
  /** What this machine or this stage cannot show. */
  notes?: string
}

/** One promise of trust.md and its proof. */
export interface TrustRow {
  id: string
  promise: string
  /** Blocks a release. */
  gate: boolean
  /** The figure to reach, in words. */
  target: string
  /** Also run, with smaller counts, by `npm test`. */
  quick?: boolean
  /** Measures time or memory, or is so heavy that others could not keep theirs: nothing runs beside it. */
  undisturbed?: boolean
  /** Of the undisturbed: it waits far more than it works, so it runs beside others of its kind, and only those. */
  waits?: boolean
  /** Runs only when it is named: the whole takes under an hour. */
  alone?: boolean
  run(context: TrustContext): Promise<Measured>
}

export interface TrustContext {
  seed: number
  random: Random
  quick: boolean
  /** The full count, or the smaller one of a quick run. */
  count(full: number, quick: number): number
  /** Starts stand-ins and a site; stopped when the row is over. */
  world(options?: WorldOptions): Promise<World>
  /** `--requests`; null when not given. */
  requests: number | null
  /** `--minutes`; left out when not given. */
  minutes?: number
}

/** Counts what must not happen, with the first examples of each. */
export class Faults {
  readonly #found = new Map<string, { count: number; example: string }>()

  /** @param example shown for the first of a kind */
  add(kind: string, example = ''): void {
    const known = this.#found.get(kind)
    if (known) known.count++
    else this.#found.set(kind, { count: 1, example: example.replace(/\s+/g, ' ').slice(0, 200) })
  }

  /** Adds one unless `holds`. */
  expect(holds: boolean, kind: string, example = ''): void {
    if (!holds) this.add(kind, example)
  }

  get count(): number {
    return [...this.#found.values()].reduce((sum, { count }) => sum + count, 0)
  }

  countOf(kind: string): number {
    return this.#found.get(kind)?.count ?? 0
  }

  /** `none`, or each kind with its count and first example. */
  toString(): string {
    if (this.#found.size === 0) return 'none'
    return [...this.#found]
      .map(([kind, { count, example }]) => `${kind} x ${count}${example ? ` (${example})` : ''}`)
      .join('; ')
  }
}
