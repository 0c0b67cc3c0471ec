import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

export const refundSeats = defineEffect({
  kind: 'payment.rsvp_refund',
  payload: z.object({ refundId: z.string() }),
  priority: 'personal',
})
