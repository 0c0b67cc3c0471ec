import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

export const importContent = defineEffect({
  kind: 'content.import',
  payload: z.object({ importId: z.string() }),
  priority: 'bulk',
})

/** Deletes the next records of an import, those of the lines after this one. */
export const undoContentImportEffect = defineEffect({
  kind: 'content.import_undo',
  payload: z.object({ importId: z.string(), after: z.number() }),
  priority: 'bulk',
})
