import { CallFailure } from '#web/api/call-failure.ts'
import { BotCheckFailure } from '#web/session/bot-check.ts'

/** The site did not respond at all. */
export class UnreachableError extends Error {}

const SENTENCES = {
  botCheck: 'Security verification failed. Please refresh the page and try again.',
  unreachable: 'Unable to connect to the server. Please check your internet connection and try again.',
  unreadable: 'Failed to create user account',
  otherwise: 'Registration failed. Please try again.',
}

/** The fixed messages for a failed registration. */
export function registrationErrorMessage(failure: unknown): string {
  if (failure instanceof BotCheckFailure) return SENTENCES.botCheck
  if (failure instanceof UnreachableError) return SENTENCES.unreachable
  if (!(failure instanceof CallFailure)) return SENTENCES.otherwise
  const { kind, serverMessage: sentence, status, statusText } = failure
  if (kind === 'network') return SENTENCES.unreachable
  if (sentence) return sentence
  return status >= 400 ? `Server error: ${status} ${statusText}`.trim() : SENTENCES.unreadable
}
