import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '#server/config/config.ts'
import { profileDirectory } from '#server/config/profiles.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { incrementContentVersion, lockContent } from '#server/features/content-store/content.commands.ts'
import { isMentioned, readProfile } from '#server/features/content-store/content.queries.ts'
import { insertDocument, insertDocumentVersion } from '#server/features/documents/document.commands.ts'
import { isDocumentFile } from '#server/features/documents/document.queries.ts'
import { DOCUMENT_STORE, DOCUMENTS_PATH } from '#server/features/documents/document-paths.rules.ts'
import { newId } from '#server/lib/ids.ts'
import { createMediaStore } from '#server/media-store/create-media-store.ts'

/** Files of a profile, with what the library calls them. */
const DOCUMENTS: Record<string, { title: string; pages: number }> = {
  'bylaws-2023-03-07.pdf': { title: 'Bylaws of March 7, 2023', pages: 9 },
}

/**
 * Adds the PDF documents of the profile that the database was filled with to the library, if its content links to them and they are missing: in a new
 * site, and in one of a release that served them with the build. Safe if several instances start at once.
 */
export async function addProfileDocuments(db: Kysely<Schema>, config: Config, now: number): Promise<void> {
  const profile = await readProfile(db)
  const directory = join(profileDirectory(profile ?? config.profile), 'documents')
  if (profile === null || !existsSync(directory)) return
  for (const filename of readdirSync(directory)) {
    const known = DOCUMENTS[filename]
    if (known && (await isMentioned(db, DOCUMENTS_PATH + filename)) && !(await isDocumentFile(db, filename)))
      await add(db, config, { filename, ...known, bytes: await readFile(join(directory, filename)), now })
  }
}

async function add(
  db: Kysely<Schema>,
  config: Config,
  {
    filename,
    title,
    pages,
    bytes,
    now,
  }: { filename: string; title: string; pages: number; bytes: Buffer; now: number },
): Promise<void> {
  const storedName = `${randomBytes(16).toString('hex')}.pdf`
  await createMediaStore(config).put(DOCUMENT_STORE.bucket, DOCUMENT_STORE.folder, {
    filename: storedName,
    files: [{ name: storedName, contentType: 'application/pdf', bytes }],
  })
  await db.transaction().execute(async (tx) => {
    await lockContent(tx)
    // Another instance may have been first.
    if (await isDocumentFile(tx, filename)) return
    const id = newId(now)
    await insertDocument(tx, { id, title, filename, number: 1, version: 1, updatedAt: now })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const file = { storedName, originalName: filename, bytes: bytes.length, pages, sha256 }
    await insertDocumentVersion(tx, { documentId: id, number: 1, ...file, savedAt: now, savedBy: 'webmaster' })
    await incrementContentVersion(tx)
  })
}
