import type { FaqEntry, Figure, Notice, WordsPage } from '#contract/association.ts'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { ContentFiles } from './content-schemas.ts'
import type { Settings } from './settings.ts'
import { readStoredSettings } from './stored-links.rules.ts'

/** The number every cached page is made for; a content write raises it. */
export async function readContentVersion(db: Db): Promise<number> {
  const row = await db.selectFrom('content_version').select('version').where('id', '=', 1).executeTakeFirst()
  return row?.version ?? 0
}

/** Call in the transaction of every content write. */
export async function raiseContentVersion(db: Db): Promise<void> {
  await db
    .insertInto('content_version')
    .values({ id: 1, version: 1, shipped: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ version: sql`content_version.version + 1` }))
    .execute()
}

/** Makes others who fill the database or change content wait until this transaction ends. */
export async function holdContent(db: Db): Promise<void> {
  await db
    .insertInto('content_version')
    .values({ id: 1, version: 0, shipped: null })
    // An update, though of nothing: only that takes hold of a row which is there.
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ version: sql`content_version.version` }))
    .execute()
}

/** Which files of `content/` were last looked through for what is new; null: none yet. */
export async function readShipped(db: Db): Promise<string | null> {
  const row = await db.selectFrom('content_version').select('shipped').executeTakeFirst()
  return row?.shipped ?? null
}

export async function markShipped(db: Db, shipped: string): Promise<void> {
  await db.updateTable('content_version').set({ shipped }).execute()
}

/** Whether the database holds no content yet. */
export async function isContentEmpty(db: Db): Promise<boolean> {
  return (await db.selectFrom('setting').select('key').limit(1).executeTakeFirst()) === undefined
}

/** @throws when a row was changed by hand into something that does not fit */
export async function readSettings(db: Db): Promise<Settings> {
  return (await inspectSettings(db)).settings
}

/** Settings, and the names of those whose stored value no form would take today. */
export async function inspectSettings(db: Db): Promise<{ settings: Settings; problems: string[] }> {
  const rows = await db.selectFrom('setting').selectAll().execute()
  return readStoredSettings(Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown])))
}

/** A page as it is kept: its words still Markdown. */
export type StoredPage = Omit<WordsPage, 'html'> & { markdown: string }

export async function listPages(db: Db): Promise<StoredPage[]> {
  const rows = await db.selectFrom('page').selectAll().execute()
  return rows.map((row) => ({
    slug: row.slug,
    title: row.title,
    description: row.description,
    markdown: row.markdown,
    version: row.version,
    updatedOn: row.updated_on,
    lead: row.lead,
    picture: row.picture === null ? null : { name: row.picture, alt: row.picture_alt ?? '' },
    facts: JSON.parse(row.facts) as StoredPage['facts'],
    items: JSON.parse(row.items) as StoredPage['items'],
    more: JSON.parse(row.more) as StoredPage['more'],
  }))
}

export async function listFaq(db: Db): Promise<FaqEntry[]> {
  return db.selectFrom('faq').select(['question', 'answer']).orderBy('position').execute()
}

/** The notice that is switched on and has not ended by `today`. */
export async function findNotice(db: Db, today: string): Promise<Notice | null> {
  const row = await db
    .selectFrom('notice')
    .selectAll()
    .where('is_on', '=', 1)
    .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>=', today)]))
    .executeTakeFirst()
  return row ? { title: row.title, text: row.text, linkLabel: row.link_label, linkPath: row.link_path } : null
}

export async function listFigures(db: Db): Promise<Figure[]> {
  const rows = await db.selectFrom('figure').selectAll().orderBy('position').execute()
  return rows.map((row) => ({ value: row.value, label: row.label, asOf: row.as_of }))
}

/** Replaces the settings given; what an older file does not know keeps its value. */
export async function replaceSettings(db: Db, settings: Partial<ContentFiles['settings']>): Promise<void> {
  for (const [key, value] of Object.entries(settings)) {
    await db
      .insertInto('setting')
      .values({ key, value: JSON.stringify(value) })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
      .execute()
  }
}

/** Adds keys that are not there yet, also within a group; true when there were any. Values that are there stay. */
export async function addMissingSettings(db: Db, settings: ContentFiles['settings']): Promise<boolean> {
  const rows = await db.selectFrom('setting').selectAll().execute()
  let added = false
  for (const [key, shipped] of Object.entries(settings)) {
    const row = rows.find((one) => one.key === key)
    const kept = row ? (JSON.parse(row.value) as object) : {}
    if (Object.keys(shipped).every((name) => name in kept)) continue
    const value = JSON.stringify({ ...shipped, ...kept })
    await db
      .insertInto('setting')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
    added = true
  }
  return added
}

/** Levels that memberships refer to are never deleted: one that is not listed is no longer on sale. */
export async function replaceLevels(db: Db, levels: ContentFiles['levels'], newId: () => string): Promise<void> {
  await db.updateTable('membership_level').set({ is_on_sale: 0 }).execute()
  for (const [position, level] of levels.entries()) {
    const row = {
      key: level.key,
      name: level.name,
      description: level.description,
      unit_amount: level.unitAmount,
      currency: level.currency,
      interval: level.interval ?? null,
      interval_count: level.interval ? (level.intervalCount ?? 1) : null,
      position,
      is_on_sale: 1,
      // Looked up again at the card provider: the amount may have changed.
      stripe_price_id: null,
    }
    await db
      .insertInto('membership_level')
      .values({ id: newId(), ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute()
  }
}

/** As `replaceLevels` takes them; what is no longer on sale is left out. */
export async function readLevels(db: Db): Promise<ContentFiles['levels']> {
  const rows = await db
    .selectFrom('membership_level')
    .selectAll()
    .where('is_on_sale', '=', 1)
    .orderBy('position')
    .execute()
  return rows.map(({ key, name, description, currency, ...row }) => ({
    key,
    name,
    description,
    unitAmount: row.unit_amount,
    currency,
    ...(row.interval && { interval: row.interval }),
    ...(row.interval_count && { intervalCount: row.interval_count }),
  }))
}

export async function replaceNotice(db: Db, notice: ContentFiles['notice'], newId: () => string): Promise<void> {
  await db.deleteFrom('notice').execute()
  await db
    .insertInto('notice')
    .values({
      id: newId(),
      title: notice.title,
      text: notice.text,
      link_label: notice.linkLabel,
      link_path: notice.linkPath,
      is_on: notice.isOn ? 1 : 0,
      ends_on: notice.endsOn ?? null,
    })
    .execute()
}

/** Also one that is switched off or has ended; null when there was never one. */
export async function readNotice(db: Db): Promise<ContentFiles['notice'] | null> {
  const row = await db.selectFrom('notice').selectAll().executeTakeFirst()
  if (!row) return null
  return {
    title: row.title,
    text: row.text,
    linkLabel: row.link_label,
    linkPath: row.link_path,
    isOn: row.is_on === 1,
    ...(row.ends_on && { endsOn: row.ends_on }),
  }
}

export async function replaceFigures(db: Db, figures: readonly Figure[], newId: () => string): Promise<void> {
  await db.deleteFrom('figure').execute()
  if (figures.length === 0) return
  await db
    .insertInto('figure')
    .values(
      figures.map((figure, position) => ({
        id: newId(),
        value: figure.value,
        label: figure.label,
        as_of: figure.asOf,
        position,
      })),
    )
    .execute()
}

/** Replaces the pages given; others stay, since each belongs to an address of the site. */
export async function replacePages(db: Db, pages: ContentFiles['pages']): Promise<void> {
  for (const { slug, title, description, markdown, version, ...page } of pages) {
    const row = {
      slug,
      title,
      description,
      markdown,
      version,
      updated_on: page.updatedOn,
      lead: page.lead ?? null,
      picture: page.picture ?? null,
      picture_alt: page.pictureAlt ?? null,
      facts: JSON.stringify(page.facts),
      items: JSON.stringify(page.items),
      more: JSON.stringify(page.more),
    }
    await db
      .insertInto('page')
      .values(row)
      .onConflict((conflict) => conflict.column('slug').doUpdateSet(row))
      .execute()
  }
}

export async function replaceFaq(db: Db, faq: readonly FaqEntry[], newId: () => string): Promise<void> {
  await db.deleteFrom('faq').execute()
  if (faq.length === 0) return
  await db
    .insertInto('faq')
    .values(faq.map((entry, position) => ({ ...entry, id: newId(), position })))
    .execute()
}
