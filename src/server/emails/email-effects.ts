import { retry } from '#server/jobs/retry.ts'
import type { EffectHandler } from '#server/jobs/outbox-worker.ts'
import type { OutgoingEmail } from './email.ts'
import type { Mailer } from './mailer.ts'

/** Composes an email; null if it no longer needs to be sent. */
type ComposeEmail = (payload: Record<string, unknown>) => Promise<OutgoingEmail | null>

/** Creates outbox handlers that compose an email when it is sent. The effect's id becomes the Message-ID. */
export function emailEffects(
  composers: Record<string, ComposeEmail>,
  mailer: Pick<Mailer, 'send'>,
  pausesMs?: readonly number[],
): Record<string, EffectHandler> {
  return Object.fromEntries(
    Object.entries(composers).map(([kind, compose]) => [
      kind,
      async (payload, { id, priority }) => {
        const email = await compose(payload)
        if (!email) return
        const messageId = await mailer.send(email, id, priority)
        // The mail server has accepted it: a short database outage must not cause a second send.
        await retry(async () => email.onSent?.(messageId), pausesMs)
      },
    ]),
  )
}
