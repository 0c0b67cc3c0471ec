import type { AppContext } from '#server/app-context.ts'
import { hostOf } from '#contract/console/website/content-import.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import type { Tx } from '#server/db/database.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { parseContentValue } from '#server/features/content/content-value.rules.ts'
import type { BulkContentEditor } from '#server/features/content/record-writer.service.ts'
import { slugify } from '#server/features/content-store/content-kind.rules.ts'
import { lockContent } from '#server/features/content-store/content.commands.ts'
import { redirectKind } from '#server/features/content-store/kinds/website.kinds.ts'
import { parseRedirect, redirectKey, redirectLine } from '#server/features/content-store/redirects.rules.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import {
  findContentImport,
  findNextItem,
  finishContentImport,
  listChosenRows,
  lockRunningContentImport,
  saveResult,
  type ContentImport,
  type ContentImportRow,
} from './content-import.repository.ts'
import { newPath, oldPath, picturesToFetch, RECORD_KINDS, toValue } from './content-import.rules.ts'
import { importContent } from './content-import.effects.ts'
import type { ImportPictures } from './import-pictures.service.ts'

/** After this time a batch ends and queues the next one, so that other work of the outbox has its turn. */
const BATCH_MS = 15_000
/** After this many failed attempts a row is skipped, so that it does not block the others. */
const TRIES_A_ROW = 3
/** As many as a list of redirects takes (`content-value.rules.ts`). */
const REDIRECTS_A_LIST = 300

const NOT_ALLOWED = 'It was not imported, because the role of the officer who started the import had ended.'
const TAKEN = 'Something else got its address while the import ran. Import the file again.'
const NOT_STORED = 'Something went wrong on our side with this row, so it was skipped. Import the file again.'

interface Tools {
  content: BulkContentEditor
  pictures: ImportPictures
  heldWork: HeldWork
}

/** Runs a confirmed import in the background: the pictures of a row, each by itself, then the row. It goes on after a crash. */
export function createContentImportRun(
  { db, clock, timeZone, cache, settings, wakeOutbox }: AppContext,
  { content, pictures, heldWork }: Tools,
): { effects: HandlersOf<typeof importContent> } {
  /** New paths by old path, of the rows that are imported. */
  async function pathsOf(importId: string): Promise<Map<string, string>> {
    const rows = await listChosenRows(db, importId)
    return new Map(
      rows
        .filter(({ result }) => result !== 'failed')
        .flatMap(({ kind, recordId, oldPaths }) => oldPaths.map((old) => [old, newPath(kind, recordId)] as const)),
    )
  }

  async function writeRow(
    tx: Tx,
    file: ContentImport,
    row: ContentImportRow,
    paths: Map<string, string>,
  ): Promise<void> {
    const { line, item, recordId } = row
    const actor = file.confirmedBy ?? file.officerId
    const fail = (note: string) =>
      saveResult(tx, { importId: file.id, line, result: 'failed', version: null, notes: [...row.notes, note] })
    if (!item || recordId === null) return fail(NOT_STORED)
    await lockContent(tx)
    if (!(await heldWork.isStillAllowed(tx, actor, 'content.change'))) return fail(NOT_ALLOWED)
    const kind = content.requireKind(RECORD_KINDS[row.kind])
    const { published, newest } = await content.findRecordState(tx, kind, recordId)
    if (published !== null || newest !== null) return fail(TAKEN)
    const fetched = await pictures.list(tx, file.id)
    const input = toValue(item, recordId, {
      pictureOf: (url) => fetched.get(url)?.address ?? null,
      pathOf(url) {
        const old = oldPath(url, file.site)
        return old === null ? null : (paths.get(old) ?? paths.get(old.split('?')[0] ?? '') ?? null)
      },
      association: settings().association.name,
    })
    const missing = picturesToFetch(item).filter(({ url }) => fetched.get(url)?.reason).length
    const notes = [
      ...row.notes,
      ...(missing > 0 ? [missing === 1 ? '1 picture is missing.' : `${missing} pictures are missing.`] : []),
    ]
    const ref = { kind: kind.kind, id: recordId }
    const done = (result: 'draft' | 'published', version: string, more: string[] = []) =>
      saveResult(tx, { importId: file.id, line, result, version, notes: [...notes, ...more] })
    if (file.publishes && item.isPublished) {
      const complete = parseContentValue(kind, input, recordId)
      if (complete.value) return done('published', await content.publish(tx, actor, ref, complete.value))
      const [sentence = ''] = Object.values(complete.problems)
      notes.push(`It stays a draft: ${sentence}.`)
    }
    const draft = parseContentValue(kind, input, recordId, { isDraft: true })
    if (!draft.value) return fail(Object.values(draft.problems)[0] ?? NOT_STORED)
    return done('draft', await content.saveDraft(tx, actor, ref, draft.value))
  }

  /** Adds lists of redirects from the old addresses. */
  async function addRedirects(tx: Tx, file: ContentImport): Promise<ContentImport['redirects']> {
    await lockContent(tx)
    const { redirects: known } = cache.content()
    const rows = (await listChosenRows(tx, file.id)).filter(
      ({ result }) => result === 'draft' || result === 'published',
    )
    // An old address that is a page now leads to that page.
    const current = new Set(rows.map(({ kind, recordId }) => redirectKey(newPath(kind, recordId))))
    const lines = rows.flatMap(({ kind, recordId, oldPaths }) =>
      oldPaths
        .filter((old) => !known.has(old) && !current.has(redirectKey(old)))
        .map((old) => redirectLine(old, newPath(kind, recordId)))
        .filter((line) => typeof parseRedirect(line) !== 'string'),
    )
    const unique = [...new Map(lines.map((line) => [line.split(' ')[0], line])).values()]
    const made: ContentImport['redirects'] = []
    for (let from = 0; from < unique.length; from += REDIRECTS_A_LIST) {
      const some = unique.slice(from, from + REDIRECTS_A_LIST)
      const part = unique.length > REDIRECTS_A_LIST ? `, part ${made.length + 1}` : ''
      const title = `${hostOf(file.site)}, imported ${formatDay(dayOf(clock.now(), timeZone))}${part}`
      const id = `${slugify(title).slice(0, 60)}-${file.id.slice(-6).toLowerCase()}`.replaceAll(/-{2,}/g, '-')
      const actor = file.confirmedBy ?? file.officerId
      const version = await content.publish(tx, actor, { kind: redirectKind.kind, id }, { id, title, lines: some })
      made.push({ id, version, count: some.length })
    }
    return made
  }

  /** One picture, one row or the end. Returns what it did; null if nothing is left. */
  async function runStep(importId: string, paths: Map<string, string>): Promise<string | null> {
    const file = await findContentImport(db, importId)
    if (file?.state !== 'running') return null
    const row = await findNextItem(db, importId)
    if (row?.item && (await heldWork.isStillAllowed(db, file.confirmedBy ?? '', 'content.change'))) {
      const fetched = await pictures.list(db, importId)
      const picture = picturesToFetch(row.item).find(({ url }) => !fetched.has(url))
      if (picture) {
        await pictures.store(file, picture)
        return `${row.line}.${fetched.size}`
      }
    }
    await db.transaction().execute(async (tx) => {
      if (!(await lockRunningContentImport(tx, importId))) return
      // Another process may have written it meanwhile.
      const now = await findNextItem(tx, importId)
      if (now?.line !== row?.line) return
      if (now) await writeRow(tx, file, now, paths)
      else await finishContentImport(tx, importId, { redirects: await addRedirects(tx, file), now: clock.now() })
    })
    return row ? `${row.line}` : null
  }

  async function skipRow(importId: string): Promise<string> {
    const row = await findNextItem(db, importId)
    if (!row) throw new Error(`The import ${importId} could not be finished`)
    const { line, notes } = row
    await db
      .transaction()
      .execute((tx) =>
        saveResult(tx, { importId, line, result: 'failed', version: null, notes: [...notes, NOT_STORED] }),
      )
    return `${line} skipped`
  }

  async function runBatch({ importId }: { importId: string }, { attempts }: { attempts: number }): Promise<void> {
    const startedAt = clock.now()
    let last: string | null = null
    try {
      const paths = await pathsOf(importId)
      do last = await runStep(importId, paths)
      while (last !== null && clock.now() - startedAt < BATCH_MS)
    } catch (error) {
      if (attempts <= TRIES_A_ROW) throw error
      last = await skipRow(importId)
    }
    await cache.refresh()
    if (last === null) return
    const step = last
    await db.transaction().execute((tx) => queueImport(tx, { importId, step }, clock.now()))
    wakeOutbox()
  }

  return { effects: { 'content.import': runBatch } }
}

/** @param step names what was done before, so that what comes next is queued once */
export function queueImport(
  tx: Tx,
  { importId, step }: { importId: string; step: string },
  now: number,
): Promise<void> {
  const dedupeKey = `content.import:${importId}:${step}`
  return addToOutbox(tx, { effect: importContent, payload: { importId }, dedupeKey }, now)
}
