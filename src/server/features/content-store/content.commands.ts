import type { FaqEntry, Figure } from '#contract/public/association.ts'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { ContentFiles } from './content.schema.ts'

/** Call in the transaction of every content write. */
export async function incrementContentVersion(db: Db): Promise<void> {
  await db
    .insertInto('contentVersion')
    .values({ id: 1, version: 1, shipped: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ version: sql`content_version.version + 1` }))
    .execute()
}

/** Locks the content: other seeds and content writes wait until this transaction ends. */
export async function lockContent(db: Db): Promise<void> {
  await db
    .insertInto('contentVersion')
    .values({ id: 1, version: 0, shipped: null })
    // Updates the row to its own value, because only an update locks an existing row.
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ version: sql`content_version.version` }))
    .execute()
}

export async function saveShippedHash(db: Db, shipped: string): Promise<void> {
  await db.updateTable('contentVersion').set({ shipped }).execute()
}

/** Replaces the given settings; others keep their values, such as ones that an older file does not have. */
export async function replaceSettings(db: Db, settings: Partial<ContentFiles['settings']>): Promise<void> {
  for (const [key, value] of Object.entries(settings)) {
    await db
      .insertInto('setting')
      .values({ key, value: JSON.stringify(value) })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
      .execute()
  }
}

/** Adds missing keys, also within a group; existing values are unchanged. Returns true if any were added. */
export async function addMissingSettings(db: Db, settings: ContentFiles['settings']): Promise<boolean> {
  const rows = await db.selectFrom('setting').selectAll().execute()
  let added = false
  for (const [key, shipped] of Object.entries(settings)) {
    const row = rows.find((one) => one.key === key)
    const stored = row ? (JSON.parse(row.value) as object) : {}
    if (Object.keys(shipped).every((name) => name in stored)) continue
    const value = JSON.stringify({ ...shipped, ...stored })
    await db
      .insertInto('setting')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
    added = true
  }
  return added
}

/** Never deletes levels, because memberships refer to them: omitted ones are no longer on sale. */
export async function replaceLevels(db: Db, levels: ContentFiles['levels'], newId: () => string): Promise<void> {
  await db.updateTable('membershipLevel').set({ isOnSale: 0 }).execute()
  for (const [position, level] of levels.entries()) {
    const row = {
      key: level.key,
      name: level.name,
      description: level.description,
      unitAmount: level.unitAmount,
      currency: level.currency,
      interval: level.interval ?? null,
      intervalCount: level.interval ? (level.intervalCount ?? 1) : null,
      position,
      isOnSale: 1,
      // The amount may have changed, so the price is looked up at the card provider again.
      stripePriceId: null,
    }
    await db
      .insertInto('membershipLevel')
      .values({ id: newId(), ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute()
  }
}

export async function replaceAnnouncement(
  db: Db,
  announcement: ContentFiles['notice'],
  newId: () => string,
): Promise<void> {
  await db.deleteFrom('notice').execute()
  await db
    .insertInto('notice')
    .values({
      id: newId(),
      title: announcement.title,
      text: announcement.text,
      linkLabel: announcement.linkLabel,
      linkPath: announcement.linkPath,
      isOn: announcement.isOn ? 1 : 0,
      endsOn: announcement.endsOn ?? null,
    })
    .execute()
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
        asOf: figure.asOf,
        position,
      })),
    )
    .execute()
}

/** Replaces the given pages; others are unchanged, because each belongs to a URL of the site. */
export async function replacePages(db: Db, pages: ContentFiles['pages']): Promise<void> {
  for (const { slug, title, description, markdown, version, ...page } of pages) {
    const row = {
      slug,
      title,
      description,
      markdown,
      version,
      updatedOn: page.updatedOn,
      lead: page.lead ?? null,
      picture: page.picture ?? null,
      pictureAlt: page.pictureAlt ?? null,
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
