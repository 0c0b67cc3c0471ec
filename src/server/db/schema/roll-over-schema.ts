import type { RollOverPlan } from '#contract/console/roll-over.ts'
import type { RollOverResult } from '#server/features/year-rollover/roll-over-result.rules.ts'
import type { JsonText } from './column-values.ts'

/** A change to a new term. Kept afterward as a record of what was done and how to undo it. */
export interface RollOverTable {
  id: string
  state: 'draft' | 'scheduled' | 'done' | 'undone'
  /** 'open' while draft or scheduled, else null: unique, so there is one plan, shared by all presidents. */
  openKey: string | null
  /** Incremented by every change; detects concurrent edits. */
  version: number
  /** The choices so far. */
  plan: JsonText<RollOverPlan>
  /** The day it runs automatically; null unless scheduled. */
  runOn: string | null
  /** Why it did not run on its day, as sentences. */
  failure: JsonText<string[]> | null
  /** The changes, row by row, for the summary and for undoing them. */
  outcome: JsonText<RollOverResult> | null
  /** An account id. While scheduled: of the officer who confirmed it. */
  savedBy: string
  savedAt: number
  doneAt: number | null
}
