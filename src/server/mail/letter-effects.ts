import { keepTrying } from '../platform/keep-trying.ts'
import type { EffectHandler } from '../platform/outbox-worker.ts'
import type { OutgoingLetter } from './letter.ts'
import type { Mailer } from './mailer.ts'

/** Composes a letter when there is one to be sent still. */
type ComposeLetter = (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>

/** Letters as effects of the outbox: composed when sent, under the id of the effect. */
export function letterEffects(
  letters: Record<string, ComposeLetter>,
  mailer: Pick<Mailer, 'send'>,
  pausesMs?: readonly number[],
): Record<string, EffectHandler> {
  return Object.fromEntries(
    Object.entries(letters).map(([kind, compose]) => [
      kind,
      async (payload, { id, priority }) => {
        const letter = await compose(payload)
        if (!letter) return
        const messageId = await mailer.send(letter, id, priority)
        // The mail server has it: a moment without a database must not send it again.
        await keepTrying(async () => letter.onSent?.(messageId), pausesMs)
      },
    ]),
  )
}
