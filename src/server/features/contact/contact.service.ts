import type { AppContext } from '#server/app-context.ts'
import type { contactBody } from '#contract/public/contact.ts'
import type * as z from 'zod/mini'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { saveMessage } from './contact-message.commands.ts'
import { sendContactMessage, sendContactReceived } from './contact.emails.ts'

export function createContactService({ db, clock, botCheck, limiter, wakeOutbox, settings }: AppContext) {
  return {
    /**
     * Stores the message and queues emails to the officers and to the sender.
     * @throws Problem BOT_CHECK_…, RATE_LIMITED
     */
    async receive({ recaptchaToken, ...fields }: z.output<typeof contactBody>, address: string): Promise<void> {
      const hourly = await limiter.hitAddress('sendMessageHourly', address, settings().rateLimits.sendMessageHourly)
      if (!hourly.allowed) throw new Problem('RATE_LIMITED', { rate: hourly })
      await botCheck.require(recaptchaToken, 'contact_form')
      const now = clock.now()
      const id = newId(now)
      // Silently limited: messages under a false address must not flood that mailbox.
      const mayAcknowledge = await limiter.hit(
        'acknowledgements',
        nameKey(fields.email),
        settings().rateLimits.acknowledgementsPerEmail,
      )
      await db.transaction().execute(async (tx) => {
        await saveMessage(tx, { ...fields, id, receivedAt: now })
        await addToOutbox(tx, { effect: sendContactMessage, payload: { id } }, now)
        if (mayAcknowledge.allowed) await addToOutbox(tx, { effect: sendContactReceived, payload: { id } }, now)
      })
      wakeOutbox()
    },
  }
}

export type ContactService = ReturnType<typeof createContactService>
