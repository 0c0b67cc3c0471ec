import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

/** Queues the emails of the next members, and itself while there are more. */
export const queueRollCall = defineEffect({
  kind: 'roll_call.queue',
  payload: z.object({ callId: z.string() }),
  priority: 'bulk',
})
