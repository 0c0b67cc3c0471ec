import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

/** Imports one subscription of a confirmed import. */
export const importSubscription = defineEffect({
  kind: 'subscriptions.import',
  payload: z.object({ importId: z.string(), subscriptionId: z.string() }),
  priority: 'bulk',
})
