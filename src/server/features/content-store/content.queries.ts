import type { FaqEntry, Figure, Announcement, TextPage } from '#contract/public/association.ts'
import type { Db } from '#server/db/database.ts'
import type { ContentFiles } from './content.schema.ts'
import type { Settings } from './settings.schema.ts'
import { readStoredSettings } from './stored-links.rules.ts'

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

export async function isContentEmpty(db: Db): Promise<boolean> {
  return (await db.selectFrom('setting').select('key').limit(1).executeTakeFirst()) === undefined
}

/** @throws if a row was edited by hand into an invalid value */
export async function readSettings(db: Db): Promise<Settings> {
  return (await inspectSettings(db)).settings
}

/** Returns the settings, and the names of those whose stored value is no longer valid. */
export async function inspectSettings(db: Db): Promise<{ settings: Settings; problems: string[] }> {
  const rows = await db.selectFrom('setting').selectAll().execute()
  return readStoredSettings(Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown])))
}

/** A page as stored, with its Markdown source. */
export type StoredPage = Omit<TextPage, 'html'> & { markdown: string }

export async function listPages(db: Db): Promise<StoredPage[]> {
  const rows = await db.selectFrom('page').selectAll().execute()
  return rows.map((row) => ({
    slug: row.slug,
    title: row.title,
    description: row.description,
    markdown: row.markdown,
    version: row.version,
    updatedOn: row.updatedOn,
    lead: row.lead,
    picture: row.picture === null ? null : { name: row.picture, alt: row.pictureAlt ?? '' },
    facts: JSON.parse(row.facts) as StoredPage['facts'],
    items: JSON.parse(row.items) as StoredPage['items'],
    more: JSON.parse(row.more) as StoredPage['more'],
  }))
}

export async function listFaq(db: Db): Promise<FaqEntry[]> {
  return db.selectFrom('faq').select(['question', 'answer']).orderBy('position').execute()
}

/** The announcement that is on and has not ended by `today`. */
export async function findCurrentAnnouncement(db: Db, today: string): Promise<Announcement | null> {
  const row = await db
    .selectFrom('notice')
    .selectAll()
    .where('isOn', '=', 1)
    .where((eb) => eb.or([eb('endsOn', 'is', null), eb('endsOn', '>=', today)]))
    .executeTakeFirst()
  return row ? { title: row.title, text: row.text, linkLabel: row.linkLabel, linkPath: row.linkPath } : null
}

export async function listFigures(db: Db): Promise<Figure[]> {
  const rows = await db.selectFrom('figure').selectAll().orderBy('position').execute()
  return rows.map((row) => ({ value: row.value, label: row.label, asOf: row.asOf }))
}

/** The levels on sale, in the format of `replaceLevels`. */
export async function readLevels(db: Db): Promise<ContentFiles['levels']> {
  const rows = await db
    .selectFrom('membershipLevel')
    .selectAll()
    .where('isOnSale', '=', 1)
    .orderBy('position')
    .execute()
  return rows.map(({ key, name, description, currency, ...row }) => ({
    key,
    name,
    description,
    unitAmount: row.unitAmount,
    currency,
    ...(row.interval && { interval: row.interval }),
    ...(row.intervalCount && { intervalCount: row.intervalCount }),
  }))
}

/** Includes an announcement that is off or has ended; null if there is none. */
export async function readAnnouncement(db: Db): Promise<ContentFiles['notice'] | null> {
  const row = await db.selectFrom('notice').selectAll().executeTakeFirst()
  if (!row) return null
  return {
    title: row.title,
    text: row.text,
    linkLabel: row.linkLabel,
    linkPath: row.linkPath,
    isOn: row.isOn === 1,
    ...(row.endsOn && { endsOn: row.endsOn }),
  }
}
