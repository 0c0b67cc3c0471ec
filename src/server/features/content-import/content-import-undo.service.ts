import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { recordVersion } from '#server/features/content/content-revision.queries.ts'
import type { BulkContentEditor } from '#server/features/content/record-writer.service.ts'
import { lockContent } from '#server/features/content-store/content.commands.ts'
import { redirectKind } from '#server/features/content-store/kinds/website.kinds.ts'
import { parseRedirect } from '#server/features/content-store/redirects.rules.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { Problem } from '#server/lib/problem.ts'
import {
  findContentImport,
  finishContentUndo,
  giveUpContentUndo,
  listChosenRows,
  saveResult,
  type ContentImport,
} from './content-import.repository.ts'
import { newPath, RECORD_KINDS } from './content-import.rules.ts'
import { undoContentImportEffect } from './content-import.effects.ts'
import type { ImportPictures } from './import-pictures.service.ts'

const ROWS_AT_ONCE = 25

interface Tools {
  content: BulkContentEditor
  pictures: ImportPictures
  heldWork: HeldWork
}

/** Undoes an import in the background, in batches that survive a crash. What someone changed since stays. */
export function createContentImportUndo(
  { db, clock, cache, wakeOutbox }: AppContext,
  { content, pictures, heldWork }: Tools,
): { effects: HandlersOf<typeof undoContentImportEffect> } {
  async function removeRecord(
    tx: Tx,
    actor: string,
    row: Awaited<ReturnType<typeof listChosenRows>>[number],
  ): Promise<void> {
    const ref = { kind: RECORD_KINDS[row.kind], id: row.recordId }
    const state = await content.findRecordState(tx, content.requireKind(ref.kind), ref.id)
    if (recordVersion(state) !== row.version) return
    try {
      await content.remove(tx, actor, ref)
    } catch (error) {
      // An event with guests stays.
      if (error instanceof Problem && error.code === 'EVENT_AWAITED') return
      throw error
    }
    await saveResult(tx, { ...row, result: 'removed' })
  }

  /** Keeps the redirects to what stays; an officer's changes to a list stay too. */
  async function removeRedirects(tx: Tx, actor: string, file: ContentImport): Promise<void> {
    const stays = (await listChosenRows(tx, file.id)).filter(
      ({ result }) => result === 'draft' || result === 'published',
    )
    const kept = new Set(stays.map(({ kind, recordId }) => newPath(kind, recordId)))
    for (const { id, version } of file.redirects) {
      const ref = { kind: redirectKind.kind, id }
      const state = await content.findRecordState(tx, content.requireKind(ref.kind), id)
      if (recordVersion(state) !== version || !state.published) continue
      const lines = state.published['lines'] as string[]
      const left = lines.filter((line) => {
        const redirect = parseRedirect(line)
        return typeof redirect !== 'string' && kept.has(redirect.to)
      })
      if (left.length === 0) await content.remove(tx, actor, ref)
      else if (left.length < lines.length) await content.publish(tx, actor, ref, { ...state.published, lines: left })
    }
  }

  async function runBatch({ importId, after }: { importId: string; after: number }): Promise<void> {
    const file = await findContentImport(db, importId)
    const actor = file?.undoneBy
    if (!actor || file.undoneAt !== null) return
    const isAllowed = await heldWork.isStillAllowed(db, actor, 'content.change')
    if (!isAllowed) return giveUpContentUndo(db, importId)
    const isLast = await db.transaction().execute(async (tx) => {
      await lockContent(tx)
      const rows = await listChosenRows(tx, importId)
      const some = rows.filter(({ line, version }) => line > after && version !== null).slice(0, ROWS_AT_ONCE)
      for (const row of some) if (row.result !== 'removed') await removeRecord(tx, actor, row)
      const last = some.at(-1)
      if (last) await queueContentUndo(tx, { importId, after: last.line, begunAt: file.undoBegunAt }, clock.now())
      else await removeRedirects(tx, actor, file)
      return !last
    })
    await cache.refresh()
    if (!isLast) return wakeOutbox()
    await pictures.removeUnused(importId, actor)
    await finishContentUndo(db, importId, clock.now())
  }

  return { effects: { 'content.import_undo': runBatch } }
}

/** Queues the batch after a line, once per line and undo. */
export function queueContentUndo(
  tx: Tx,
  { importId, after, begunAt }: { importId: string; after: number; begunAt: number | null },
  now: number,
): Promise<void> {
  const dedupeKey = `content.import_undo:${importId}:${begunAt}:${after}`
  return addToOutbox(tx, { effect: undoContentImportEffect, payload: { importId, after }, dedupeKey }, now)
}
