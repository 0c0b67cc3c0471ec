import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

/** Refunds a duplicate checkout payment, or an invoice paid after the membership ended. */
export const refundPayment = defineEffect({
  kind: 'payment.refund',
  payload: z.object({
    checkoutId: z.string().optional(),
    invoiceId: z.string().optional(),
    accountId: z.string(),
    subscriptionId: z.string().nullish(),
    reference: z.string().nullish(),
    why: z.string().optional(),
  }),
  priority: 'personal',
})

/** Cancels a subscription. With `unlessPaid`, one that was paid since it was queued is synced instead. */
export const endSubscription = defineEffect({
  kind: 'payment.end_subscription',
  payload: z.object({ subscriptionId: z.string(), unlessPaid: z.boolean().optional() }),
  priority: 'personal',
})

/** Expires an open checkout, or completes it if it was paid in the meantime. */
export const expireCheckout = defineEffect({
  kind: 'payment.expire_checkout',
  payload: z.object({ checkoutId: z.string() }),
  priority: 'personal',
})

export const stopRenewal = defineEffect({
  kind: 'payment.stop_renewal',
  payload: z.object({ subscriptionId: z.string(), cause: z.string() }),
  priority: 'personal',
})

export const syncSubscription = defineEffect({
  kind: 'payment.sync_subscription',
  payload: z.object({ subscriptionId: z.string() }),
  priority: 'personal',
})
