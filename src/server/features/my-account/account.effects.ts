import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

export const finishDeletion = defineEffect({
  kind: 'account.finish_deletion',
  payload: z.object({ deletionId: z.string() }),
  priority: 'personal',
})

export const stopSubscription = defineEffect({
  kind: 'account.stop_subscription',
  payload: z.object({ subscriptionId: z.string(), atOnce: z.boolean().optional() }),
  priority: 'personal',
})

export const updateProvider = defineEffect({
  kind: 'account.update_provider',
  payload: z.object({ accountId: z.string() }),
  priority: 'personal',
})
