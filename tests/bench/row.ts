import type { Random } from '#tests/trust/random.ts'
import type { BenchSite, BenchSiteOptions } from './site.ts'

/** What has to be reached, and by what it is measured. */
export interface Goal {
  is: 'at least' | 'at most' | 'under'
  value: number
}

/** One figure to reach and what was measured. The median of the rounds is what counts. */
export interface Finding {
  what: string
  goal: Goal
  /** Such as `ms`; empty for a ratio or a score. */
  unit: string
  /** Decimals worth showing. */
  digits: number
  /** What each round gave; empty when it could not be measured here. */
  rounds: number[]
  /** Why there are no rounds. */
  missing?: string
}

/** Shown under the row: first the names of the columns. */
export interface Table {
  title: string
  lines: (string | number)[][]
}

export interface RowResult {
  findings: Finding[]
  tables?: Table[]
  /** How it was measured where that is not plain, and what this machine cannot show. */
  notes?: string[]
}

export interface BenchRow {
  /** For `npm run bench -- NAME`. */
  name: string
  title: string
  /** Left out of `--fast` runs unless it is named. */
  slow?: boolean
  run(context: BenchContext): Promise<RowResult>
}

export interface BenchContext {
  /** Few rounds, for whoever changes the code and wants to know the direction. */
  fast: boolean
  random: Random
  /** The full count, or the smaller one of a fast run. */
  count(full: number, fast: number): number
  /** Also measures how long `npm test` takes in the fresh clone. */
  withTests: boolean
  /** What `buildSite` made, the same for all rows. */
  buildDirectory: string
  /** Starts stand-ins and the site; stopped when the row is over. */
  site(options?: BenchSiteOptions): Promise<BenchSite>
  /** A folder of the row's own, removed when it is over. */
  temporaryFolder(): string
  /** To be called when the row is over, also when it failed. The last one added is called first. */
  afterwards(clean: () => Promise<void> | void): void
}
