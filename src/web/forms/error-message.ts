import { CallFailure } from '#web/api/call-failure.ts'
import { BotCheckFailure } from '#web/features/auth/bot-check.ts'

interface Sentences {
  /** The server refused and gave no sentence of its own. */
  refused: string
  /** Nobody answered, or something else broke. */
  network: string
  /** Left out: the bot check's own sentence. */
  botCheck?: string
}

/** The sentence for a failed form: the server's own where it has one. */
export function explain(failure: unknown, { refused, network, botCheck }: Sentences): string {
  if (failure instanceof BotCheckFailure) return botCheck ?? failure.message
  if (failure instanceof CallFailure && failure.kind === 'refused') return failure.sentence ?? refused
  return network
}

/** Whether it failed because of the bot check, here or on the server: some forms then say a second sentence. */
export function isBotCheckFailure(failure: unknown): boolean {
  if (failure instanceof BotCheckFailure) return true
  return failure instanceof CallFailure && /^BOT_CHECK_/.test(failure.code ?? '')
}
