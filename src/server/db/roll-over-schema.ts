/** One moving on of the association's year. Kept after it is done: it tells what was done and how to undo it. */
export interface RollOverTable {
  id: string
  state: 'draft' | 'scheduled' | 'done' | 'undone'
  /** 'open' while it is a draft or scheduled, else null: unique, so there is one plan that all presidents share. */
  open_key: string | null
  /** Raised by every change; whoever read an older one is told. */
  version: number
  /** JSON: what was chosen so far. */
  plan: string
  /** The day it happens by itself; null unless scheduled. */
  run_on: string | null
  /** JSON: why it did not happen on its day, as sentences. */
  failure: string | null
  /** JSON: what was done, row by row, for the summary and for undoing it. */
  outcome: string | null
  /** An account's id. While it is scheduled: of whoever confirmed it. */
  saved_by: string
  saved_at: number
  done_at: number | null
}
