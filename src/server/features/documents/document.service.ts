import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AppContext } from '#server/app-context.ts'
import type { DocumentDetail, DocumentSummary, listDocuments } from '#contract/console/website/documents.ts'
import { isReplaceable, type PictureUse } from '#contract/console/media.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Tx } from '#server/db/database.ts'
import { foldText } from '#server/db/fold-text.rules.ts'
import type { AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { slugify } from '#server/features/content-store/content-kind.rules.ts'
import { incrementContentVersion, lockContent } from '#server/features/content-store/content.commands.ts'
import type { PictureUser } from '#server/features/media/media-console.service.ts'
import type { ServedFile, Officer } from '#server/http/serve.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
import type { PictureQueue } from '#server/media-store/pictures/picture-queue.ts'
import { PictureRejectedError } from '#server/media-store/pictures/picture-rejected-error.ts'
import { newId } from '#server/lib/ids.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { insertDocument, insertDocumentVersion } from './document.commands.ts'
import { DOCUMENT_STORE, DOCUMENTS_PATH } from './document-paths.rules.ts'
import { listCurrentDocuments, type CurrentDocument } from './document.queries.ts'
import {
  deleteDocumentRow,
  findDocument,
  listDocumentVersions,
  updateDocument,
  type Document,
  type DocumentVersion,
} from './document.repository.ts'

const MAX_LISTED_USES = 3

type Upload = { filename: string; save: (path: string) => Promise<void> }
type StoredFile = Pick<DocumentVersion, 'storedName' | 'originalName' | 'bytes' | 'pages' | 'sha256'>

/** Adds, replaces, restores and deletes PDF documents. A document keeps its address; each of its files stays until it is deleted. */
export function createDocumentService(
  { db, clock, cache }: AppContext,
  {
    store,
    workshop,
    users,
    isKnownPath,
  }: {
    store: MediaStore
    workshop: PictureQueue
    /** The features whose records may link to a document. */
    users: readonly Pick<PictureUser, 'findPictureUses'>[]
    isKnownPath: (path: string) => boolean
  },
) {
  async function usesOf(addresses: readonly string[]): Promise<Map<string, PictureUse[]>> {
    const found = await Promise.all(users.map((user) => user.findPictureUses(addresses)))
    return new Map(addresses.map((address) => [address, found.flatMap((uses) => uses.get(address) ?? [])]))
  }

  async function summarize(documents: readonly CurrentDocument[]): Promise<DocumentSummary[]> {
    const uses = await usesOf(documents.map(addressOf))
    return documents.map((document) => ({
      id: document.id,
      title: document.title,
      address: addressOf(document),
      bytes: document.bytes,
      pages: document.pages,
      updatedAt: new Date(Number(document.updatedAt)).toISOString(),
      updatedBy: nameOf(document),
      usedIn: uses.get(addressOf(document)) ?? [],
    }))
  }

  async function get(id: string): Promise<DocumentDetail> {
    const current = (await listCurrentDocuments(db)).find((one) => one.id === id)
    if (!current) throw new Problem('NOT_FOUND')
    const [summary] = await summarize([current])
    if (!summary) throw new Problem('NOT_FOUND')
    const versions = await listDocumentVersions(db, id)
    return {
      ...summary,
      version: current.version,
      versions: versions.map((one) => ({
        number: one.number,
        filename: one.originalName,
        bytes: one.bytes,
        pages: one.pages,
        at: new Date(Number(one.savedAt)).toISOString(),
        by: nameOf(one),
        isCurrent: one.number === current.number,
      })),
    }
  }

  /** Checks an upload by its content and stores it. @throws Problem INVALID_INPUT on the field `file`, PICTURES_BUSY */
  async function checkAndStore({ filename, save }: Upload): Promise<StoredFile> {
    try {
      return await workshop.withSlot({}, async (slot) => {
        await save(slot.source)
        const { pages } = await slot.inspectDocument()
        const bytes = await readFile(slot.source)
        // Object storage serves anyone who knows a name, and an earlier version may be confidential.
        const storedName = `${randomBytes(16).toString('hex')}.pdf`
        const file = { name: storedName, contentType: 'application/pdf', bytes }
        await store.put(DOCUMENT_STORE.bucket, DOCUMENT_STORE.folder, { filename: storedName, files: [file] })
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        return { storedName, originalName: filename, bytes: bytes.length, pages, sha256 }
      })
    } catch (error) {
      throw error instanceof PictureRejectedError ? fieldProblem('file', error.message) : error
    }
  }

  /** Changes documents and what visitors get, in one transaction. */
  async function change(
    officer: Officer,
    action: AuditAction,
    { id, filename }: Pick<Document, 'id' | 'filename'>,
    details: { before: unknown; after: unknown },
    write: (tx: Tx) => Promise<boolean>,
  ): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await lockContent(tx)
      if (!(await write(tx))) throw new Problem('CHANGED_MEANWHILE')
      const entry = { actor: officer.accountId, action, subjectId: `${id}/${filename}`, details }
      await writeAudit(tx, entry, clock.now())
      await incrementContentVersion(tx)
    })
    await cache.refresh()
  }

  async function require(id: string): Promise<Document> {
    const document = await findDocument(db, id)
    if (!document) throw new Problem('NOT_FOUND')
    return document
  }

  async function addVersion(
    officer: Officer,
    action: AuditAction,
    document: Document,
    { version, file }: { version: number; file: StoredFile },
  ): Promise<DocumentDetail> {
    const now = clock.now()
    const newest = (await listDocumentVersions(db, document.id))[0]?.number ?? 0
    const number = newest + 1
    const details = { before: document.number, after: number }
    await change(officer, action, document, details, async (tx) => {
      if (!(await updateDocument(tx, { id: document.id, version }, { number, updatedAt: now }))) return false
      const saved = { documentId: document.id, number, savedBy: officer.accountId, savedAt: now }
      await insertDocumentVersion(tx, { ...file, ...saved })
      return true
    })
    return get(document.id)
  }

  return {
    get,

    async list({
      q = '',
      sort = 'title',
      page = '1',
      size = '25',
    }: QueryOf<typeof listDocuments>): Promise<ReplyOf<typeof listDocuments>> {
      const search = foldText(q)
      const found = (await listCurrentDocuments(db)).filter(({ title, filename }) =>
        foldText(`${title} ${filename}`).includes(search),
      )
      if (sort === 'changed') found.sort((a, b) => Number(b.updatedAt) - Number(a.updatedAt))
      const from = (Number(page) - 1) * Number(size)
      return {
        documents: await summarize(found.slice(from, from + Number(size))),
        total: found.length,
      }
    },

    /** @throws Problem INVALID_INPUT on the field `file`, PICTURES_BUSY */
    async add(
      officer: Officer,
      { title: given, ...upload }: Upload & { title?: string | undefined },
    ): Promise<DocumentDetail> {
      const title = given ?? titleFrom(upload.filename)
      const file = await checkAndStore(upload)
      const now = clock.now()
      const id = newId(now)
      let filename = `${slugify(title)}.pdf`
      for (let number = 2; isKnownPath(`${DOCUMENTS_PATH}${filename}`); number++)
        filename = `${slugify(title)}-${number}.pdf`
      const document = { id, filename, title, version: 1, number: 1, updatedAt: now }
      await change(officer, 'document.added', document, { before: null, after: title }, async (tx) => {
        await insertDocument(tx, document)
        await insertDocumentVersion(tx, {
          ...file,
          documentId: id,
          number: 1,
          savedBy: officer.accountId,
          savedAt: now,
        })
        return true
      })
      return get(id)
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE, INVALID_INPUT on the field `file`, PICTURES_BUSY */
    async replace(
      officer: Officer,
      { id, version }: { id: string; version: number },
      upload: Upload,
    ): Promise<DocumentDetail> {
      const document = await require(id)
      if (document.version !== version) throw new Problem('CHANGED_MEANWHILE')
      return addVersion(officer, 'document.replaced', document, { version, file: await checkAndStore(upload) })
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE */
    async rename(
      officer: Officer,
      id: string,
      { title, version }: { title: string; version: number },
    ): Promise<DocumentDetail> {
      const document = await require(id)
      const details = { before: document.title, after: title }
      await change(officer, 'document.renamed', document, details, (tx) =>
        updateDocument(tx, { id, version }, { title, updatedAt: clock.now() }),
      )
      return get(id)
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE */
    async restore(
      officer: Officer,
      id: string,
      { number, version }: { number: number; version: number },
    ): Promise<DocumentDetail> {
      const document = await require(id)
      const former = (await listDocumentVersions(db, id)).find((one) => one.number === number)
      if (!former) throw new Problem('NOT_FOUND')
      const { storedName, originalName, bytes, pages, sha256 } = former
      const file = { storedName, originalName, bytes, pages, sha256 }
      return addVersion(officer, 'document.restored', document, { version, file })
    },

    /** @throws Problem NOT_FOUND */
    async readVersion({ id, number }: { id: string; number: number }): Promise<ServedFile> {
      const document = await require(id)
      const version = (await listDocumentVersions(db, id)).find((one) => one.number === number)
      if (!version) throw new Problem('NOT_FOUND')
      const content = await store.read(DOCUMENT_STORE.bucket, DOCUMENT_STORE.folder, version.storedName)
      return { filename: document.filename.replace(/\.pdf$/, `-version-${number}.pdf`), content }
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE, DOCUMENT_IN_USE */
    async remove(officer: Officer, { id, version }: { id: string; version: number }): Promise<void> {
      const document = await require(id)
      const { usedIn } = await get(id)
      const uses = usedIn.filter(isReplaceable)
      if (uses.length > 0) throw new Problem('DOCUMENT_IN_USE', { message: inUse(uses) })
      const stored = new Set((await listDocumentVersions(db, id)).map(({ storedName }) => storedName))
      await change(officer, 'document.deleted', document, { before: document.title, after: null }, (tx) =>
        deleteDocumentRow(tx, { id, version }),
      )
      // A file that stays behind after a failure is not served.
      for (const name of stored) await store.remove(DOCUMENT_STORE.bucket, DOCUMENT_STORE.folder, name)
    },
  }
}

export type DocumentService = ReturnType<typeof createDocumentService>

function addressOf({ filename }: Pick<Document, 'filename'>): string {
  return `${DOCUMENTS_PATH}${filename}`
}

function nameOf({ firstName, lastName }: { firstName: string | null; lastName: string | null }): string {
  return firstName === null ? 'A former officer' : `${firstName} ${lastName ?? ''}`.trim()
}

/** 'Bylaws 2026' for `Bylaws_2026.PDF`. */
function titleFrom(filename: string): string {
  const words = filename
    .replace(/\.pdf$/i, '')
    .replaceAll(/[_\s-]+/g, ' ')
    .trim()
  return words === '' ? 'Document' : words.charAt(0).toUpperCase() + words.slice(1)
}

function inUse(uses: readonly PictureUse[]): string {
  const listed = uses.slice(0, MAX_LISTED_USES).map(({ title, what }) => `“${title}” (${what})`)
  const more = uses.length > MAX_LISTED_USES ? [`${uses.length - MAX_LISTED_USES} more`] : []
  return `This document is linked from ${[...listed, ...more].join(', ')}. Remove the links first.`
}
