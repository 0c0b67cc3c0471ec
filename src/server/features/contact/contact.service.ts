import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import type { contactBody } from '#contract/public/contact.ts'
import type * as z from 'zod/mini'
import type { Schema } from '#server/db/schema/schema.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import type { BotCheck } from '#server/limits/bot-check.ts'
import type { Clock } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Limit, RateLimiter } from '#server/limits/rate-limiter.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { findMessage } from './contact-message.repository.ts'
import { saveMessage } from './contact-message.commands.ts'
import { acknowledgementEmail, contactMessageEmail } from './contact.emails.ts'

export interface ContactService {
  /**
   * Stores the message and queues emails to the officers and to the sender.
   * @throws Problem BOT_CHECK_…, RATE_LIMITED
   */
  receive(message: z.output<typeof contactBody>, address: string): Promise<void>
  emails: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingEmail | null>>
}

export function createContactService({
  db,
  clock,
  botCheck,
  limiter,
  limits,
  officersEmail,
  association,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  botCheck: BotCheck
  limiter: RateLimiter
  limits: { hourly(): Limit; acknowledgements(): Limit }
  officersEmail: string
  association(): Promise<Association>
  wakeOutbox(): void
}): ContactService {
  return {
    async receive({ recaptchaToken, ...fields }, address) {
      const hourly = await limiter.hitAddress('sendMessageHourly', address, limits.hourly())
      if (!hourly.allowed) throw new Problem('RATE_LIMITED', { rate: hourly })
      await botCheck.require(recaptchaToken, 'contact_form')
      const now = clock.now()
      const id = newId(now)
      // Silently limited: messages under a false address must not flood that mailbox.
      const mayAcknowledge = await limiter.hit('acknowledgements', nameKey(fields.email), limits.acknowledgements())
      await db.transaction().execute(async (tx) => {
        await saveMessage(tx, { ...fields, id, receivedAt: now })
        await addToOutbox(tx, { kind: 'email.contact_message', payload: { id } }, now)
        if (mayAcknowledge.allowed) await addToOutbox(tx, { kind: 'email.contact_received', payload: { id } }, now)
      })
      wakeOutbox()
    },

    emails: {
      async 'email.contact_message'({ id }) {
        const message = await findMessage(db, String(id))
        if (!message) return null
        return { ...contactMessageEmail(message, await association()), to: officersEmail, replyTo: message.email }
      },
      async 'email.contact_received'({ id }) {
        const message = await findMessage(db, String(id))
        return message && { ...acknowledgementEmail(await association()), to: message.email }
      },
    },
  }
}
