import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

/** Runs the next members of an action; `step` makes each batch its own effect. */
export const runBulk = defineEffect({
  kind: 'members.bulk',
  payload: z.object({ runId: z.string(), step: z.number() }),
  priority: 'bulk',
})
