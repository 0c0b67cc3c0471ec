import { CallFailure } from '#web/api/call-failure.ts'

/** The message when the billing portal could not be opened: the server's own if it sent one. */
export function portalErrorMessage(failure: unknown): string {
  const sentence = failure instanceof CallFailure ? failure.serverMessage : undefined
  return sentence ?? 'Failed to open billing portal'
}
