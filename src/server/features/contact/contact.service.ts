import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { contactBody } from '#contract/contact.ts'
import type * as z from 'zod/mini'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { BotCheck } from '#server/platform/bot-check.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import { nameKey } from '../account/account.repository.ts'
import { findMessage, saveMessage } from './contact-message.repository.ts'
import { acknowledgementLetter, officersLetter } from './contact.emails.ts'

export interface ContactService {
  /** Keeps the message, then lets it be mailed to the officers, with a word to the sender. @throws Problem BOT_CHECK_…, RATE_LIMITED */
  receive(message: z.output<typeof contactBody>, address: string): Promise<void>
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
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
    async receive({ recaptchaToken, ...words }, address) {
      const hourly = await limiter.hitAddress('sendMessageHourly', address, limits.hourly())
      if (!hourly.allowed) throw new Problem('RATE_LIMITED', { rate: hourly })
      await botCheck.require(recaptchaToken, 'contact_form')
      const now = clock.now()
      const id = newId(now)
      // Silently: whoever writes in another's name must not fill that mailbox.
      const mayAcknowledge = await limiter.hit('acknowledgements', nameKey(words.email), limits.acknowledgements())
      await db.transaction().execute(async (tx) => {
        await saveMessage(tx, { ...words, id, receivedAt: now })
        await addToOutbox(tx, { kind: 'letter.contact_message', payload: { id } }, now)
        if (mayAcknowledge.allowed) await addToOutbox(tx, { kind: 'letter.contact_received', payload: { id } }, now)
      })
      wakeOutbox()
    },

    letters: {
      async 'letter.contact_message'({ id }) {
        const message = await findMessage(db, String(id))
        if (!message) return null
        return { ...officersLetter(message, await association()), to: officersEmail, replyTo: message.email }
      },
      async 'letter.contact_received'({ id }) {
        const message = await findMessage(db, String(id))
        return message && { ...acknowledgementLetter(await association()), to: message.email }
      },
    },
  }
}
