import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

/** Queues the copies of a message to guests. */
export const messageGuests = defineEffect({
  kind: 'event.message_guests',
  payload: z.object({ messageId: z.string() }),
  priority: 'personal',
})
