import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

export const importMembers = defineEffect({
  kind: 'members.import',
  payload: z.object({ importId: z.string() }),
  priority: 'bulk',
})

/** Deletes the next accounts of an import, those with an id after this one. */
export const undoImport = defineEffect({
  kind: 'members.import_undo',
  payload: z.object({ importId: z.string(), after: z.string() }),
  priority: 'bulk',
})
