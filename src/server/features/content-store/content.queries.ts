import type * as z from 'zod/mini'
import { PROFILES, type Profile } from '#server/config/profiles.ts'
import type { Db } from '#server/db/database.ts'
import type { ContentKind } from './content-kind.rules.ts'
import { recordSet, type PublishedRecord, type PublishedRecords } from './record-set.rules.ts'
import { brandKind } from './kinds/brand.kinds.ts'
import { settingKinds, settingsOf, technicalSettings } from './kinds/settings.kinds.ts'
import type { Settings } from './settings.schema.ts'

/** Cached pages are valid for one version; every content write increments it. */
export async function readContentVersion(db: Db): Promise<number> {
  const row = await db.selectFrom('contentVersion').select('version').where('id', '=', 1).executeTakeFirst()
  return row?.version ?? 0
}

/** The hash of the `content/` files that were last merged into the database; null: none yet. */
export async function readShippedHash(db: Db): Promise<string | null> {
  const row = await db.selectFrom('contentVersion').select('shipped').executeTakeFirst()
  return row?.shipped ?? null
}

/** The profile that filled the database; null: that was before profiles. */
export async function readProfile(db: Db): Promise<Profile | null> {
  const row = await db.selectFrom('contentVersion').select('profile').executeTakeFirst()
  return PROFILES.find((profile) => profile === row?.profile) ?? null
}

export async function isContentEmpty(db: Db): Promise<boolean> {
  return (await db.selectFrom('contentRecord').select('id').limit(1).executeTakeFirst()) === undefined
}

/** Whether a published record has a text, such as the path of a document; the text has no characters that JSON escapes. */
export async function isMentioned(db: Db, text: string): Promise<boolean> {
  const row = await db.selectFrom('contentRecord').select('id').where('value', 'like', `%${text}%`).executeTakeFirst()
  return row !== undefined
}

/** Reads the records of some kinds, or of all. */
export async function readRecords(db: Db, kinds?: readonly ContentKind[]): Promise<PublishedRecords> {
  const all = db.selectFrom('contentRecord').select(['kind', 'id', 'value', 'revision'])
  const names = kinds?.map(({ kind }) => kind)
  const rows = await (names ? all.where('kind', 'in', names) : all).execute()
  return recordSet(rows.map(({ value, ...row }) => ({ ...row, value: JSON.parse(value) as unknown })))
}

/** The published records of a kind, in its order. */
export async function listRecords<S extends z.core.$ZodType>(
  db: Db,
  kind: ContentKind<S>,
): Promise<PublishedRecord<z.core.output<S>>[]> {
  return (await readRecords(db, [kind])).list(kind)
}

/** Returns null for a record that is not published. */
export async function findRecord<S extends z.core.$ZodType>(
  db: Db,
  { kind }: ContentKind<S>,
  id: string,
): Promise<PublishedRecord<z.core.output<S>> | null> {
  const row = await db
    .selectFrom('contentRecord')
    .select(['id', 'value', 'revision'])
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? { ...row, value: JSON.parse(row.value) as z.core.output<S> } : null
}

/** @throws if a record was edited by hand into an invalid value */
export async function readSettings(db: Db): Promise<Settings> {
  return (await inspectSettings(db)).settings
}

/** Returns the settings, and the names of those whose stored value is no longer valid. */
export async function inspectSettings(db: Db): Promise<{ settings: Settings; problems: string[] }> {
  const kinds = [...settingKinds, ...technicalSettings, brandKind]
  return settingsOf(await readRecords(db, kinds))
}
