import { CallFailure } from '#web/api/call-failure.ts'

/** What an editor says after a draft could not save itself. */
export function autosaveProblem(failure: unknown): string {
  const [first] = Object.values((failure instanceof CallFailure && failure.fieldErrors) || {})
  return first === undefined ? 'Draft not saved yet. It is kept on this device.' : `Draft not saved: ${first}.`
}
