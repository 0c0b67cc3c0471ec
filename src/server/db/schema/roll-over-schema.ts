/** A change to a new term. Kept afterward as a record of what was done and how to undo it. */
export interface RollOverTable {
  id: string
  state: 'draft' | 'scheduled' | 'done' | 'undone'
  /** 'open' while draft or scheduled, else null: unique, so there is one plan, shared by all presidents. */
  openKey: string | null
  /** Incremented by every change; detects concurrent edits. */
  version: number
  /** JSON: the choices so far. */
  plan: string
  /** The day it runs automatically; null unless scheduled. */
  runOn: string | null
  /** JSON: why it did not run on its day, as sentences. */
  failure: string | null
  /** JSON: the changes, row by row, for the summary and for undoing them. */
  outcome: string | null
  /** An account id. While scheduled: of the officer who confirmed it. */
  savedBy: string
  savedAt: number
  doneAt: number | null
}
