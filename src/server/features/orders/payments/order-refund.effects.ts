import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

/** Makes a refund of the table `refund` at the provider. */
export const makeRefund = defineEffect({
  kind: 'payment.refund_part',
  payload: z.object({ refundId: z.string() }),
  priority: 'personal',
})

/** A refund that an officer waits for is first made at once, and by the outbox only if the provider did not respond. */
export const REFUND_RETRY_MS = 30_000
