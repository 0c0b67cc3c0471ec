import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

/** Queues the emails of the next members, and itself while there are more. */
export const queueStatements = defineEffect({
  kind: 'statements.queue',
  payload: z.object({ year: z.number() }),
  priority: 'bulk',
})
