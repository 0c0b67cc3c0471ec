import { CallFailure } from '#web/api/call-failure.ts'

/** The sentence for a billing portal that did not open: the server's own where it has one. */
export function explainPortal(failure: unknown): string {
  const sentence = failure instanceof CallFailure ? failure.sentence : undefined
  return sentence ?? 'Failed to open billing portal'
}
