import { safeParse } from 'zod/mini'
import type { AppContext } from '#server/app-context.ts'
import type { BodyOf, QueryOf } from '#contract/endpoint.ts'
import {
  foundContent,
  ITEM_RESULTS,
  ITEM_VERDICTS,
  ITEMS_PER_PAGE,
  KEPT_ITEMS_SHOWN,
  type confirmContentImport,
  type ContentImportLine,
  type ContentImportReport,
  type FoundContent,
  type getContentImport,
  type ImportItem,
} from '#contract/console/website/content-import.ts'
import type { Tx } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { editableValue } from '#server/features/content/content-state.rules.ts'
import { recordVersion } from '#server/features/content/content-revision.queries.ts'
import type { BulkContentEditor } from '#server/features/content/record-writer.service.ts'
import { textOf } from '#server/features/content-store/content-kind.rules.ts'
import { RESERVED_ADDRESSES } from '#server/features/content-store/kinds/website.kinds.ts'
import { newId } from '#server/lib/ids.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import {
  beginContentImport,
  beginContentUndo,
  chooseRecord,
  countContentImportRows,
  deleteUnconfirmedImport,
  findContentImport,
  findImportedAddresses,
  listChosenRows,
  listContentImportFiles,
  listContentImportRows,
  listImportPictures,
  listItems,
  saveContentImport,
  type ContentImport,
  type ListedRow,
} from './content-import.repository.ts'
import { chooseId, judgeItem, oldPath, picturesToFetch, RECORD_KINDS } from './content-import.rules.ts'
import { queueImport } from './content-import-run.service.ts'
import { queueContentUndo } from './content-import-undo.service.ts'

const IMPORTS_LISTED = 10
const UNREADABLE = 'The file could not be read. Choose the export as the former website saved it.'

interface Tools {
  content: BulkContentEditor
  isKnownPath(path: string): boolean
}

/** Checks what an officer's browser found in an export, and starts its import and its undo (decision record 67). */
export function createContentImportService({ db, clock, wakeOutbox }: AppContext, { content, isKnownPath }: Tools) {
  async function requireImport(id: string): Promise<ContentImport> {
    const file = await findContentImport(db, id)
    if (!file) throw new Problem('NOT_FOUND')
    return file
  }

  async function officerName(id: string): Promise<string> {
    const officer = await findAccount(db, id)
    return officer ? `${officer.firstName} ${officer.lastName}` : 'An officer'
  }

  async function lineOf(file: ContentImport) {
    const counted = await countContentImportRows(db, file.id)
    const count = (isCounted: (row: (typeof counted)[number]) => boolean) =>
      counted.filter(isCounted).reduce((sum, { rows }) => sum + rows, 0)
    const byName = <Name extends string>(
      names: readonly Name[],
      isCounted: (row: (typeof counted)[number], name: Name) => boolean,
    ) => Object.fromEntries(names.map((name) => [name, count((row) => isCounted(row, name))])) as Record<Name, number>
    const { id, source, filename, site, state } = file
    const line: ContentImportLine = {
      id,
      source,
      filename,
      site,
      state,
      by: await officerName(file.officerId),
      createdAt: iso(file.createdAt),
      undoneAt: file.undoneAt === null ? null : iso(file.undoneAt),
      counts: byName(ITEM_VERDICTS, ({ verdict }, name) => verdict === name),
    }
    const chosen = count(({ isChosen }) => isChosen)
    return {
      line,
      results: byName(ITEM_RESULTS, ({ result }, name) => result === name),
      progress: { done: count(({ isChosen, result }) => isChosen && result !== null), total: chosen },
    }
  }

  async function report(
    file: ContentImport,
    { verdict, page = '1' }: QueryOf<typeof getContentImport> = {},
  ): Promise<ContentImportReport> {
    const { line, results, progress } = await lineOf(file)
    const offset = (Number(page) - 1) * ITEMS_PER_PAGE
    const [rows, pictures] = await Promise.all([
      listContentImportRows(db, { importId: file.id, verdict, limit: ITEMS_PER_PAGE, offset }),
      listImportPictures(db, file.id),
    ])
    return {
      ...line,
      leftOut: file.leftOut,
      takesDrafts: file.takesDrafts,
      publishes: file.publishes,
      progress,
      results,
      redirects: file.redirects.reduce((sum, { count }) => sum + count, 0),
      pictures: {
        found: file.state === 'done' ? pictures.length : file.pictures,
        stored: pictures.filter(({ address }) => address !== null).length,
        failed: pictures.flatMap(({ url, reason }) => (reason === null ? [] : [{ url, reason }])),
      },
      rows: rows.map((row) => ({
        line: row.line,
        kind: row.kind,
        title: row.title,
        address: row.address,
        date: row.date,
        verdict: row.verdict,
        result: row.result,
        notes: row.notes,
        path: row.result === 'draft' || row.result === 'published' ? consolePath(row) : null,
      })),
      total: verdict ? line.counts[verdict] : Object.values(line.counts).reduce((sum, one) => sum + one, 0),
      undo: file.state === 'done' ? await describeUndo(file) : null,
      undoBegunAt: file.undoBegunAt === null ? null : iso(file.undoBegunAt),
      undoneBy: file.undoneBy === null ? null : await officerName(file.undoneBy),
    }
  }

  async function describeUndo(file: ContentImport): Promise<ContentImportReport['undo']> {
    const rows = (await listChosenRows(db, file.id)).filter(({ version }) => version !== null)
    const states = new Map<string, Map<string, string>>()
    for (const kind of new Set(rows.map((row) => RECORD_KINDS[row.kind]))) {
      const records = await content.listRecordStates(db, content.requireKind(kind))
      states.set(kind, new Map([...records].map(([id, record]) => [id, recordVersion(record)])))
    }
    const there = rows.filter(({ result }) => result === 'draft' || result === 'published')
    const isUnchanged = (row: (typeof rows)[number]) =>
      states.get(RECORD_KINDS[row.kind])?.get(row.recordId) === row.version
    const kept = there.filter((row) => !isUnchanged(row))
    return {
      removes: there.length - kept.length,
      keeps: kept.length,
      kept: kept.slice(0, KEPT_ITEMS_SHOWN).map((row) => ({ title: row.title, path: consolePath(row) ?? '' })),
    }
  }

  /** Gives each row the id of a record, and its address if it is a page, that nothing else has. */
  async function chooseRecords(tx: Tx, file: ContentImport, takesDrafts: boolean): Promise<void> {
    const taken = new Map<string, Set<string>>()
    for (const kind of Object.values(RECORD_KINDS)) {
      const records = [...(await content.listRecordStates(tx, content.requireKind(kind)))]
      taken.set(kind, new Set(records.flatMap(([id, record]) => [id, textOf(editableValue(record)['address'])])))
    }
    for (const { line, kind, item } of await listItems(tx, file.id, takesDrafts ? ['new', 'draft'] : ['new'])) {
      const ids = taken.get(RECORD_KINDS[kind]) ?? new Set()
      const isOfSite = (id: string) => kind === 'page' && (RESERVED_ADDRESSES.includes(id) || isKnownPath(`/${id}`))
      const id = chooseId(item, (wanted) => ids.has(wanted) || isOfSite(wanted) || wanted === 'new')
      ids.add(id)
      await chooseRecord(tx, file.id, line, id)
    }
  }

  return {
    /** @param bytes JSON of `foundContent` @throws Problem INVALID_INPUT on the field `file` */
    async check(by: Officer, filename: string, bytes: Uint8Array): Promise<ContentImportReport> {
      const { source, site, items, leftOut } = readFound(bytes)
      if (items.length === 0) throw fieldProblem('file', 'The file has no posts, pages or events.')
      const now = clock.now()
      const id = newId(now)
      const known = new Set(
        await findImportedAddresses(
          db,
          items.map(({ address }) => address),
        ),
      )
      const rows = items.map((item, index) => {
        const { verdict, notes } = judgeItem(item, { isKnown: known.has(item.address) })
        known.add(item.address)
        const { kind, address, title, date } = item
        const isKept = verdict === 'new' || verdict === 'draft'
        const shown = { kind, address, title: title.trim() || 'Untitled', date, verdict, notes }
        const outcome = { recordId: null, version: null, result: null }
        return {
          importId: id,
          line: index + 1,
          ...shown,
          ...outcome,
          oldPaths: oldPathsOf(item, site),
          item: isKept ? item : null,
        }
      })
      const urls = rows.flatMap(({ item }) => (item ? picturesToFetch(item).map(({ url }) => url) : []))
      const file = { id, source, filename, site, officerId: by.accountId, leftOut, createdAt: now }
      await saveContentImport(db, { ...file, pictures: new Set(urls).size }, rows)
      return report(await requireImport(id))
    },

    async list(): Promise<ContentImportLine[]> {
      const files = await listContentImportFiles(db, IMPORTS_LISTED)
      return Promise.all(files.map(async (file) => (await lineOf(file)).line))
    },

    /** @throws Problem NOT_FOUND */
    describe: async (id: string, query: QueryOf<typeof getContentImport>): Promise<ContentImportReport> =>
      report(await requireImport(id), query),

    /** Starts the import in the background. Idempotent: later calls only return the progress. @throws Problem NOT_FOUND */
    async confirm(
      by: Officer,
      id: string,
      { takesDrafts, publishes }: BodyOf<typeof confirmContentImport>,
    ): Promise<ContentImportReport> {
      const file = await requireImport(id)
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        if (!(await beginContentImport(tx, id, { by: by.accountId, takesDrafts, publishes, now }))) return
        await chooseRecords(tx, file, takesDrafts)
        const details = { filename: file.filename, site: file.site, takesDrafts, publishes }
        await writeAudit(tx, { actor: by.accountId, action: 'content.import_confirmed', subjectId: id, details }, now)
        await queueImport(tx, { importId: id, step: 'start' }, now)
      })
      wakeOutbox()
      return report(await requireImport(id))
    },

    /** Starts the undo in the background. @throws Problem NOT_FOUND, CHANGED_MEANWHILE until the import has finished */
    async undo(by: Officer, id: string): Promise<ContentImportReport> {
      const file = await requireImport(id)
      if (file.state !== 'done') throw new Problem('CHANGED_MEANWHILE')
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        if (!(await beginContentUndo(tx, id, { by: by.accountId, now }))) return
        const details = { filename: file.filename }
        await writeAudit(tx, { actor: by.accountId, action: 'content.import_undone', subjectId: id, details }, now)
        await queueContentUndo(tx, { importId: id, after: 0, begunAt: now }, now)
      })
      wakeOutbox()
      return report(await requireImport(id))
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE once it is confirmed */
    async discard(id: string): Promise<void> {
      await requireImport(id)
      if (!(await deleteUnconfirmedImport(db, id))) throw new Problem('CHANGED_MEANWHILE')
    },
  }
}

export type ContentImportService = ReturnType<typeof createContentImportService>

function readFound(bytes: Uint8Array): FoundContent {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw fieldProblem('file', UNREADABLE)
  }
  const found = safeParse(foundContent, json)
  if (!found.success) throw fieldProblem('file', UNREADABLE)
  return found.data
}

/** Without those of the home page, which every site has. */
function oldPathsOf({ kind, address, otherPaths }: ImportItem, site: string): string[] {
  if (kind === 'event') return []
  const paths = [address, ...otherPaths].map((one) => oldPath(one, site))
  return [...new Set(paths.filter((path) => path !== null && path !== '/'))] as string[]
}

function consolePath({ kind, recordId }: Pick<ListedRow, 'kind' | 'recordId'>): string | null {
  return recordId === null ? null : `/console/content/${RECORD_KINDS[kind]}/${recordId}`
}

const iso = (instant: number) => new Date(instant).toISOString()
