import { readPayload, type EffectDefinition } from '#server/jobs/define-effect.ts'
import type { EffectHandler } from '#server/jobs/outbox-worker.ts'
import { retry } from '#server/jobs/retry.ts'
import type { EmailDefinition, EmailPurpose, ToolsOf } from './define-email.ts'
import type { Mailer } from './mailer.ts'

/** Creates the outbox handlers of emails, which are composed when they are sent. The effect's id becomes the Message-ID. */
export function emailEffects<Definition extends EmailDefinition>(
  emails: readonly Definition[],
  tools: ToolsOf<Definition>,
  {
    mailer,
    mayEmail,
    pausesMs,
  }: {
    mailer: Pick<Mailer, 'send'>
    /** Whether an address still gets emails of this purpose. */
    mayEmail(address: string, purpose: EmailPurpose): Promise<boolean>
    pausesMs?: readonly number[]
  },
): Record<string, EffectHandler> {
  const definitions: readonly (EffectDefinition &
    Pick<EmailDefinition<unknown, never, typeof tools>, 'compose' | 'purpose'>)[] = emails
  return Object.fromEntries(
    definitions.map((definition) => [
      definition.kind,
      async (stored, { id, priority }) => {
        const payload = readPayload(definition, stored)
        const email = await definition.compose(payload, tools)
        if (!email || !(await mayEmail(email.to, definition.purpose(payload)))) return
        const messageId = await mailer.send(email, id, priority)
        // The mail server has accepted it: a short database outage must not cause a second send.
        await retry(async () => email.onSent?.(messageId), pausesMs)
      },
    ]),
  )
}
