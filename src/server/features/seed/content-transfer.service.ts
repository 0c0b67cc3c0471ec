import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { stringify } from 'yaml'
import type { Schema } from '#server/db/schema/schema.ts'
import { ContentError, readContentFile, readPages } from './content-files.service.ts'
import {
  contentKinds,
  type ContentKind,
  type ContentWriteContext,
} from '#server/features/content/content-kinds.registry.ts'
import { lockContent, incrementContentVersion, replacePages } from '#server/features/content-store/content.commands.ts'
import { listPages, type StoredPage } from '#server/features/content-store/content.queries.ts'

const PAGES = 'pages'
/** Files that are not content. */
const IGNORED = /^README|^\./

/**
 * Replaces the content that the folder has files for, in one transaction; other content is unchanged. Returns the names of the files.
 * @throws ContentError naming the file, the line and the fix; then nothing has changed
 */
export async function importContent(
  db: Kysely<Schema>,
  folder: string,
  moment: ContentWriteContext,
): Promise<string[]> {
  const names = listFolder(folder)
  const kinds = names.filter((name) => name !== PAGES).map((name) => [name, kindOf(name)] as const)
  const values = kinds.map(([name, kind]) => ({ kind, value: readContentFile(join(folder, name), kind.schema) }))
  const pages = names.includes(PAGES) ? readPages(join(folder, PAGES)) : []
  await db.transaction().execute(async (tx) => {
    await lockContent(tx)
    for (const { kind, value } of values) await kind.replace(tx, value, moment)
    await replacePages(tx, pages)
    await incrementContentVersion(tx)
  })
  return names
}

/** Writes all content to a folder, in the format that `importContent` reads. Returns the names of the files. */
export async function exportContent(db: Kysely<Schema>, folder: string): Promise<string[]> {
  mkdirSync(join(folder, PAGES), { recursive: true })
  const written: string[] = []
  for (const { file, read } of contentKinds) {
    const value = await read(db)
    if (value === null) continue
    writeFileSync(join(folder, file), stringify(value, { lineWidth: 120 }))
    written.push(file)
  }
  for (const page of await listPages(db)) {
    const name = join(PAGES, `${page.slug}.md`)
    writeFileSync(join(folder, name), writePage(page))
    written.push(name)
  }
  return written
}

function listFolder(folder: string): string[] {
  if (!existsSync(folder)) throw new ContentError(`The folder ${folder} does not exist.`)
  const names = readdirSync(folder).filter((name) => !IGNORED.test(name))
  if (names.length === 0)
    throw new ContentError(`${folder} has no content files. Run "content export" to see what it may contain.`)
  return names
}

function kindOf(name: string): ContentKind {
  const kind = contentKinds.find(({ file }) => file === name)
  if (kind) return kind
  const known = [...contentKinds.map(({ file }) => file), `${PAGES}/`].join(', ')
  throw new ContentError(`${name} is not a content file. Known files: ${known}. Move it or correct its name.`)
}

function writePage({ markdown, lead, picture, ...page }: StoredPage): string {
  const { title, description, version, updatedOn, facts: panel, items, more } = page
  const frontMatter = {
    title,
    description,
    version,
    updatedOn,
    facts: panel,
    items,
    more,
    ...(lead !== null && { lead }),
    ...(picture && { picture: picture.name, pictureAlt: picture.alt }),
  }
  return `---\n${stringify(frontMatter, { lineWidth: 120 })}---\n\n${markdown}\n`
}
