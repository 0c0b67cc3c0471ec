import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

// Decided after the response, so that response times do not reveal the state of an address.
export const askToSubscribe = defineEffect({
  kind: 'newsletter.asked',
  payload: z.object({ email: z.string(), source: z.string(), at: z.number() }),
  priority: 'personal',
})

export const confirmUnsubscription = defineEffect({
  kind: 'newsletter.left',
  payload: z.object({ email: z.string(), at: z.number() }),
  priority: 'personal',
})
