import type { Kysely } from 'kysely'
import type { contactBody } from '#contract/public/contact.ts'
import type * as z from 'zod/mini'
import type { Schema } from '#server/db/schema/schema.ts'
import type { BotCheck } from '#server/limits/bot-check.ts'
import type { Clock } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Limit, RateLimiter } from '#server/limits/rate-limiter.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { saveMessage } from './contact-message.commands.ts'
import { sendContactMessage, sendContactReceived } from './contact.emails.ts'

export interface ContactService {
  /**
   * Stores the message and queues emails to the officers and to the sender.
   * @throws Problem BOT_CHECK_…, RATE_LIMITED
   */
  receive(message: z.output<typeof contactBody>, address: string): Promise<void>
}

export function createContactService({
  db,
  clock,
  botCheck,
  limiter,
  limits,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  botCheck: BotCheck
  limiter: RateLimiter
  limits: { hourly(): Limit; acknowledgements(): Limit }
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
        await addToOutbox(tx, { effect: sendContactMessage, payload: { id } }, now)
        if (mayAcknowledge.allowed) await addToOutbox(tx, { effect: sendContactReceived, payload: { id } }, now)
      })
      wakeOutbox()
    },
  }
}
