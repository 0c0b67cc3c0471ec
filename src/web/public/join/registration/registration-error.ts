import { CallFailure } from '#web/api/call-failure.ts'
import { BotCheckFailure } from '#web/features/auth/bot-check.ts'

/** The site did not answer at all. */
export class Unreachable extends Error {}

const SENTENCES = {
  botCheck: 'Security verification failed. Please refresh the page and try again.',
  unreachable: 'Unable to connect to the server. Please check your internet connection and try again.',
  unreadable: 'Failed to create user account',
  otherwise: 'Registration failed. Please try again.',
}

/** The fixed sentences for a registration. */
export function explainRegistration(failure: unknown): string {
  if (failure instanceof BotCheckFailure) return SENTENCES.botCheck
  if (failure instanceof Unreachable) return SENTENCES.unreachable
  if (!(failure instanceof CallFailure)) return SENTENCES.otherwise
  const { kind, sentence, status, statusText } = failure
  if (kind === 'network') return SENTENCES.unreachable
  if (sentence) return sentence
  return status >= 400 ? `Server error: ${status} ${statusText}`.trim() : SENTENCES.unreadable
}
