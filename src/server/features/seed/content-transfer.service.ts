import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { stringify } from 'yaml'
import type { Schema } from '#server/db/schema.ts'
import { ContentError, readContentFile, readPages } from './content-files.ts'
import { contentKinds, type ContentKind, type ContentMoment } from './content-kinds.ts'
import { holdContent, listPages, raiseContentVersion, replacePages, type StoredPage } from './content.repository.ts'

const PAGES = 'pages'
/** Words for the reader of a folder, not for us. */
const IGNORED = /^README|^\./

/**
 * Replaces what the files of a folder hold, all or nothing; what it has no file for stays. Answers the names of the files.
 * @throws ContentError naming file, line and cure; then nothing has changed
 */
export async function importContent(db: Kysely<Schema>, folder: string, moment: ContentMoment): Promise<string[]> {
  const names = listFolder(folder)
  const kinds = names.filter((name) => name !== PAGES).map((name) => [name, kindOf(name)] as const)
  const values = kinds.map(([name, kind]) => ({ kind, value: readContentFile(join(folder, name), kind.schema) }))
  const pages = names.includes(PAGES) ? readPages(join(folder, PAGES)) : []
  await db.transaction().execute(async (tx) => {
    await holdContent(tx)
    for (const { kind, value } of values) await kind.replace(tx, value, moment)
    await replacePages(tx, pages)
    await raiseContentVersion(tx)
  })
  return names
}

/** Writes everything into a folder, in the form `importContent` reads. Answers the names of the files. */
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
  if (!existsSync(folder)) throw new ContentError(`There is no folder ${folder}.`)
  const names = readdirSync(folder).filter((name) => !IGNORED.test(name))
  if (names.length === 0) throw new ContentError(`${folder} holds no content. "content export" shows what it may hold.`)
  return names
}

function kindOf(name: string): ContentKind {
  const kind = contentKinds.find(({ file }) => file === name)
  if (kind) return kind
  const known = [...contentKinds.map(({ file }) => file), `${PAGES}/`].join(', ')
  throw new ContentError(`${name} is not a file of content. Known: ${known}. Move it elsewhere or correct its name.`)
}

function writePage({ markdown, lead, picture, ...page }: StoredPage): string {
  const { title, description, version, updatedOn, facts: panel, items, more } = page
  const facts = {
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
  return `---\n${stringify(facts, { lineWidth: 120 })}---\n\n${markdown}\n`
}
