import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

const payload = z.object({ eventId: z.string(), objectId: z.string() })

/** What a webhook event leads to, by the kind of its object. */
export const processEvent = {
  checkout: defineEffect({ kind: 'stripe.checkout', payload, priority: 'personal' }),
  subscription: defineEffect({ kind: 'stripe.subscription', payload, priority: 'personal' }),
  payment: defineEffect({ kind: 'stripe.payment', payload, priority: 'personal' }),
}
