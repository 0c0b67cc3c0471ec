import type { Random } from './random.ts'
import type { World, WorldOptions } from './site.ts'

/** The result of a row. */
export interface Measured {
  /** The result in words, generated from the counts. */
  reached: string
  passed: boolean
  /** What this machine cannot show. */
  notes?: string
}

/** One promise and its proof. */
export interface TrustRow {
  id: string
  promise: string
  /** Blocks a release. */
  gate: boolean
  /** The target in words. */
  target: string
  /** Also run by `npm test`, with smaller counts. */
  quick?: boolean
  /** Measures time or memory, or is too heavy for others to meet their targets: runs alone. */
  undisturbed?: boolean
  /** Of the rows that run alone: mostly waits, so it may run in parallel with others of this kind only. */
  waits?: boolean
  /** Runs only when named: all others together take under an hour. */
  alone?: boolean
  run(context: TrustContext): Promise<Measured>
}

export interface TrustContext {
  seed: number
  random: Random
  quick: boolean
  /** The full count, or the smaller one of a quick run. */
  count(full: number, quick: number): number
  /** Starts stand-ins and a site; stopped after the row. */
  world(options?: WorldOptions): Promise<World>
  /** `--requests`; null when not given. */
  requests: number | null
  /** `--minutes`; left out when not given. */
  minutes?: number
}

/** Counts violations, with the first examples of each kind. */
export class Faults {
  readonly #found = new Map<string, { count: number; example: string }>()

  /** @param example shown for the first of a kind */
  add(kind: string, example = ''): void {
    const known = this.#found.get(kind)
    if (known) known.count++
    else this.#found.set(kind, { count: 1, example: example.replace(/\s+/g, ' ').slice(0, 200) })
  }

  /** Adds a violation unless `holds`. */
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
