import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { stringify } from 'yaml'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { newId } from '#server/lib/ids.ts'
import {
  incrementContentVersion,
  lockContent,
  replaceRecords,
} from '#server/features/content-store/content.commands.ts'
import { readRecords } from '#server/features/content-store/content.queries.ts'
import { pageKind, type PageValue } from '#server/features/content-store/kinds/text.kinds.ts'
import { replaceLevels } from '#server/features/levels/level.commands.ts'
import { readLevels } from '#server/features/levels/level.queries.ts'
import { levelsSchema } from '#server/features/levels/level.schema.ts'
import { ContentError, readContentFile, readKinds } from './content-files.service.ts'
import { fileFormats, LEVELS_FILE, PAGES_FOLDER, type FileFormat, type KindRecords } from './content-format.registry.ts'

/** Files that are not content. */
const IGNORED = /^README|^\./

/**
 * Replaces the content that the folder has files for, in one transaction; other content is unchanged. Returns the names of the files.
 * @param today relative dates such as `in: 40 days` count from it
 * @throws ContentError naming the file, the line and the fix; then nothing has changed
 */
export async function importContent(
  db: Kysely<Schema>,
  folder: string,
  { now, today }: { now: number; today: string },
): Promise<string[]> {
  const names = listFolder(folder)
  const formats = names.filter((name) => name !== LEVELS_FILE).map(formatOf)
  const kinds = formats.flatMap((format) => readKinds(folder, format, today))
  const levels = names.includes(LEVELS_FILE) ? readContentFile(join(folder, LEVELS_FILE), levelsSchema) : null
  await db.transaction().execute(async (tx) => {
    await lockContent(tx)
    await writeKinds(tx, kinds, now)
    if (levels) await replaceLevels(tx, levels, () => newId(now))
    await incrementContentVersion(tx)
  })
  return names
}

/** Pages are never deleted, because each belongs to a URL of the site. */
export async function writeKinds(tx: Tx, kinds: readonly KindRecords[], now: number): Promise<void> {
  for (const { kind, records } of kinds)
    await replaceRecords(tx, kind, records, { now, keepsOthers: kind.kind === pageKind.kind })
}

/** Writes all content to a folder, in the format that `importContent` reads. Returns the names of the files. */
export async function exportContent(db: Kysely<Schema>, folder: string): Promise<string[]> {
  mkdirSync(join(folder, PAGES_FOLDER), { recursive: true })
  const records = await readRecords(db)
  const written: string[] = []
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    written.push(name)
  }
  const writeYaml = (name: string, value: unknown) => write(name, stringify(value, { lineWidth: 120 }))
  writeYaml(LEVELS_FILE, await readLevels(db))
  for (const { name, fromRecords } of fileFormats.filter((format) => format.name !== PAGES_FOLDER)) {
    const value = fromRecords(records)
    if (value !== null) writeYaml(name, value)
  }
  for (const { id, value } of records.list(pageKind)) write(join(PAGES_FOLDER, `${id}.md`), writePage(value))
  return written
}

function listFolder(folder: string): string[] {
  if (!existsSync(folder)) throw new ContentError(`The folder ${folder} does not exist.`)
  const names = readdirSync(folder).filter((name) => !IGNORED.test(name))
  if (names.length === 0)
    throw new ContentError(`${folder} has no content files. Run "content export" to see what it may contain.`)
  return names
}

function formatOf(name: string): FileFormat {
  const format = fileFormats.find((one) => one.name.replace(/\/$/, '') === name)
  if (format) return format
  const known = [LEVELS_FILE, ...fileFormats.map((one) => one.name)].join(', ')
  throw new ContentError(`${name} is not a content file. Known files: ${known}. Move it or correct its name.`)
}

function writePage({ markdown, ...frontMatter }: PageValue): string {
  return `---\n${stringify(frontMatter, { lineWidth: 120 })}---\n\n${markdown}\n`
}
