import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { defineEffect } from '#server/jobs/define-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'

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

/** @param step names what was done before, so that what comes next is queued once */
export function queueImport(
  tx: Tx,
  { importId, step }: { importId: string; step: string },
  now: number,
): Promise<void> {
  const dedupeKey = `content.import:${importId}:${step}`
  return addToOutbox(tx, { effect: importContent, payload: { importId }, dedupeKey }, now)
}

export function queueContentUndo(
  tx: Tx,
  { importId, after }: { importId: string; after: number },
  now: number,
): Promise<void> {
  const dedupeKey = `content.import_undo:${importId}:${after}`
  return addToOutbox(tx, { effect: undoContentImportEffect, payload: { importId, after }, dedupeKey }, now)
}
