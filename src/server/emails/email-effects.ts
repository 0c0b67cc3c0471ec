import { readPayload, type EffectDefinition } from '#server/jobs/define-effect.ts'
import type { EffectHandler } from '#server/jobs/outbox-worker.ts'
import { retry } from '#server/jobs/retry.ts'
import type { EmailDefinition, EmailPurpose, ToolsOf } from './define-email.ts'
import type { Mailer } from './mailer.ts'
import { renderEmail, type OutgoingEmail } from './email.ts'
import { rewordSource } from './wording.rules.ts'
import type { ChangedText } from '#contract/console/emails/email-wordings.ts'

/** Creates the outbox handlers of emails, which are composed when they are sent. The effect's id becomes the Message-ID. */
export function emailEffects<Definition extends EmailDefinition>(
  emails: readonly Definition[],
  tools: ToolsOf<Definition>,
  {
    mailer,
    mayEmail,
    findWording,
    pausesMs,
  }: {
    mailer: Pick<Mailer, 'send'>
    /** Whether an address still gets emails of this purpose. */
    mayEmail(address: string, purpose: EmailPurpose): Promise<boolean>
    /** The texts of a kind of email that officers changed. */
    findWording(kind: string): Promise<readonly ChangedText[]>
    pausesMs?: readonly number[]
  },
): Record<string, EffectHandler> {
  const definitions: readonly (EffectDefinition &
    Pick<EmailDefinition<unknown, never, typeof tools>, 'compose' | 'purpose' | 'isFixed'>)[] = emails
  return Object.fromEntries(
    definitions.map((definition) => [
      definition.kind,
      async (stored, { id, priority }) => {
        const payload = readPayload(definition, stored)
        const email = await definition.compose(payload, tools)
        if (!email || !(await mayEmail(email.to, definition.purpose(payload)))) return
        const worded = definition.isFixed ? email : reword(email, await findWording(email.wordedAs ?? definition.kind))
        const messageId = await mailer.send(worded, id, priority)
        // The mail server has accepted it: a short database outage must not cause a second send.
        await retry(async () => email.onSent?.(messageId), pausesMs)
      },
    ]),
  )
}

function reword(email: OutgoingEmail, changes: readonly ChangedText[]): OutgoingEmail {
  const { source } = email
  if (!source || changes.length === 0) return email
  return { ...email, ...renderEmail(rewordSource(source, changes), source.association) }
}
