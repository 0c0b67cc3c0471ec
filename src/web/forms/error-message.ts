import { CallFailure } from '#web/api/call-failure.ts'
import { BotCheckFailure } from '#web/session/bot-check.ts'

interface Sentences {
  /** The server rejected the call without a message of its own. */
  refused: string
  /** No response, or an unexpected error. */
  network: string
  /** Defaults to the bot check's own message. */
  botCheck?: string
}

/** The message for a failed form: the server's own if it sent one. */
export function errorMessage(failure: unknown, { refused, network, botCheck }: Sentences): string {
  if (failure instanceof BotCheckFailure) return botCheck ?? failure.message
  if (failure instanceof CallFailure && failure.kind === 'refused') return failure.serverMessage ?? refused
  return network
}

/** Whether the bot check failed, in the browser or on the server; some forms then show a second message. */
export function isBotCheckFailure(failure: unknown): boolean {
  if (failure instanceof BotCheckFailure) return true
  return failure instanceof CallFailure && /^BOT_CHECK_/.test(failure.code ?? '')
}
