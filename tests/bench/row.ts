import type { Random } from '#tests/trust/random.ts'
import type { BenchSite, BenchSiteOptions } from './site.ts'

/** The target and how it is compared. */
export interface Goal {
  is: 'at least' | 'at most' | 'under'
  value: number
}

/** One target and its measurements. The median of the rounds counts. */
export interface Finding {
  what: string
  goal: Goal
  /** Such as `ms`; empty for a ratio or a score. */
  unit: string
  /** Decimals to show. */
  digits: number
  /** The result of each round; empty when it could not be measured here. */
  rounds: number[]
  /** Why there are no rounds. */
  missing?: string
}

/** Shown under the row; the first line has the names of the columns. */
export interface Table {
  title: string
  lines: (string | number)[][]
}

export interface RowResult {
  findings: Finding[]
  tables?: Table[]
  /** How it was measured, if that is not obvious, and what this machine cannot show. */
  notes?: string[]
}

export interface BenchRow {
  /** Its name in `npm run bench -- NAME`. */
  name: string
  title: string
  /** Skipped in `--fast` runs unless named. */
  slow?: boolean
  run(context: BenchContext): Promise<RowResult>
}

export interface BenchContext {
  /** Few rounds, for a quick estimate during development. */
  fast: boolean
  random: Random
  /** The full count, or the smaller one of a fast run. */
  count(full: number, fast: number): number
  /** Also measures how long `npm test` takes in the fresh clone. */
  withTests: boolean
  /** The result of `buildSite`, the same for all rows. */
  buildDirectory: string
  /** Starts stand-ins and the site; stopped after the row. */
  site(options?: BenchSiteOptions): Promise<BenchSite>
  /** A folder for this row, removed after it. */
  temporaryFolder(): string
  /** Registers a cleanup that runs after the row, also after a failure, in reverse order. */
  afterwards(clean: () => Promise<void> | void): void
}
