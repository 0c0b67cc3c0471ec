import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { dayOf } from '#contract/dates/dates.ts'
import {
  SAMPLE_PROFILE,
  type Profile,
  profileDirectory,
  PROFILES_DIRECTORY,
  SAMPLE_DIRECTORY,
} from '#server/config/profiles.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { seedNewsletter } from './newsletter.samples.ts'
import { seedSamples, type WantedSamples } from './samples.service.ts'
import { SINGLE_RECORD_ID } from '#server/features/content-store/content-kind.rules.ts'
import { contentKinds } from '#server/features/content-store/content-kinds.registry.ts'
import {
  addMissingFields,
  deleteAllRecords,
  incrementContentVersion,
  lockContent,
  replaceRecords,
  saveProfile,
  saveShippedHash,
} from '#server/features/content-store/content.commands.ts'
import {
  isContentEmpty,
  readProfile,
  readRecords,
  readShippedHash,
} from '#server/features/content-store/content.queries.ts'
import { credentialKindsKind } from '#server/features/content-store/kinds/credential-kinds.kinds.ts'
import { settingKind, settingsOf } from '#server/features/content-store/kinds/settings.kinds.ts'
import { tierKind } from '#server/features/content-store/kinds/support.kinds.ts'
import { pageKind } from '#server/features/content-store/kinds/text.kinds.ts'
import { deleteAllLevels, replaceLevels } from '#server/features/levels/level.commands.ts'
import type { ContentFiles } from './content-files.service.ts'
import type { KindRecords } from './content-format.registry.ts'
import { writeKinds } from './content-transfer.service.ts'

interface SeedOptions {
  profile: Profile
  /** The association's address on the site, unless the profile is that of the sample association. */
  officersEmail?: string
  now: number
  timeZone: string | null
  samples: WantedSamples | null
  /** Written with the content, or not at all. */
  writeToo?(tx: Tx): Promise<void>
}

/**
 * Seeds an empty database with a profile, and with sample data if `samples` is given and the profile has any. A database with content only gets what a
 * newer release adds to its own profile. Its days are those of `timeZone`; null: of the profile's settings. Safe if several instances start at once.
 * Returns true if it seeded the database.
 */
export async function seedEmptyDatabase(
  db: Kysely<Schema>,
  { profile, officersEmail, now, timeZone: given, samples: wanted, writeToo }: SeedOptions,
): Promise<boolean> {
  if (!(await isContentEmpty(db))) {
    await addMissingContent(db, now)
    return false
  }
  const { readContentFiles, readMoreSampleFiles, readSampleFiles, readSampleRecords } = await loadContentFiles()
  const files = readContentFiles(profileDirectory(profile))
  const samples = profile === SAMPLE_PROFILE ? wanted : null
  const timeZone = given ?? settingsOf(files.records).settings.region.timeZone
  const sampleFiles = samples && readSampleFiles(SAMPLE_DIRECTORY)
  const more = samples?.more ? readMoreSampleFiles(SAMPLE_DIRECTORY) : null
  const seeded = await db.transaction().execute(async (tx) => {
    await lockContent(tx)
    if (!(await isContentEmpty(tx))) return false
    await writeStarter(tx, files, { officersEmail: profile === SAMPLE_PROFILE ? undefined : officersEmail, now })
    await writeKinds(tx, samples ? readSampleRecords(SAMPLE_DIRECTORY, dayOf(now, timeZone)) : emptyLists(), now)
    if (sampleFiles) await seedNewsletter(tx, sampleFiles.newsletter, now)
    await incrementContentVersion(tx)
    await saveProfile(tx, profile)
    await writeToo?.(tx)
    return true
  })
  if (!seeded) return false
  if (samples && sampleFiles) {
    await seedSamples(db, { files: sampleFiles, more, records: files.records }, { now, timeZone, ...samples })
  }
  return true
}

/** Levels, texts and settings of a profile. */
async function writeStarter(
  tx: Tx,
  files: ContentFiles,
  { officersEmail, now }: { officersEmail: string | undefined; now: number },
): Promise<void> {
  await replaceLevels(tx, files.levels, () => newId(now))
  await writeKinds(tx, files.kinds, now)
  if (officersEmail) await writeEmail(tx, files, officersEmail, now)
}

/**
 * Replaces the starter content of a site that no one has used yet, with its levels, by that of another profile. Call it with the content locked, and
 * increment its version.
 */
export async function replaceStarterContent(
  tx: Tx,
  { profile, officersEmail, now }: { profile: Profile; officersEmail: string; now: number },
): Promise<void> {
  const { readContentFiles } = await loadContentFiles()
  const files = readContentFiles(profileDirectory(profile))
  await deleteAllRecords(tx)
  await deleteAllLevels(tx)
  await writeStarter(tx, files, { officersEmail, now })
  await writeKinds(tx, emptyLists(), now)
  await saveProfile(tx, profile)
}

/** Starter texts have no email address of their own. */
async function writeEmail(tx: Tx, { records }: ContentFiles, email: string, now: number): Promise<void> {
  const kind = settingKind('association')
  const [stored] = records.list(kind)
  if (stored) await replaceRecords(tx, kind, [{ ...stored, value: { ...stored.value, email } }], { now })
}

/** The lists of which the repository has samples only: officers add to them. */
function emptyLists(): KindRecords[] {
  return contentKinds.flatMap((kind) => {
    const { isSample, list } = kind.file
    return isSample && list ? [{ kind, records: [{ id: SINGLE_RECORD_ID, value: { [list]: [] } }] }] : []
  })
}

/** Adds settings, pages, tiers and kinds of credentials that are new in this release. Existing content is unchanged. */
async function addMissingContent(db: Kysely<Schema>, now: number): Promise<void> {
  const shipped = hashFiles(PROFILES_DIRECTORY)
  if ((await readShippedHash(db)) === shipped) return
  const { readContentFiles } = await loadContentFiles()
  // Until profiles were recorded there was only one.
  const files = readContentFiles(profileDirectory((await readProfile(db)) ?? SAMPLE_PROFILE))
  await db.transaction().execute(async (tx) => {
    await lockContent(tx)
    await saveShippedHash(tx, shipped)
    let isChanged = false
    for (const { kind, records } of files.kinds.filter((one) => one.kind.file.part !== undefined))
      for (const { value } of records) if (await addMissingFields(tx, kind, value as object, { now })) isChanged = true
    const stored = await readRecords(tx, [pageKind, tierKind, credentialKindsKind])
    const known = new Set(stored.list(pageKind).map(({ id }) => id))
    const pages = files.records.list(pageKind).filter(({ id }) => !known.has(id))
    const tiers = stored.single(tierKind)?.tiers.length ? [] : files.records.list(tierKind)
    await replaceRecords(tx, pageKind, pages, { now, keepsOthers: true })
    // Those of a former release, until which they were not content.
    const kinds = stored.list(credentialKindsKind).length > 0 ? [] : files.records.list(credentialKindsKind)
    await replaceRecords(tx, tierKind, tiers, { now, keepsOthers: true })
    await replaceRecords(tx, credentialKindsKind, kinds, { now, keepsOthers: true })
    if (isChanged || [pages, tiers, kinds].some((added) => added.length > 0)) await incrementContentVersion(tx)
  })
}

/** Loaded only when needed: most starts have nothing to seed. */
function loadContentFiles() {
  return import('./content-files.service.ts')
}

/** Hashes the names and contents of all files in a folder. */
function hashFiles(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = join(folder, name)
    if (statSync(file).isFile()) hash.update(`${name}\0`).update(readFileSync(file)).update('\0')
  }
  return hash.digest('base64url')
}
