import type { MessageTemplate } from '#contract/console/messages.ts'
import type { Db } from '#server/db/database.ts'

/** Sorted by name. */
export async function listTemplates(db: Db): Promise<MessageTemplate[]> {
  return db
    .selectFrom('messageTemplate')
    .select(['id', 'name', 'text', 'version'])
    .orderBy('name')
    .orderBy('id')
    .execute()
}

export async function findTemplate(db: Db, id: string): Promise<MessageTemplate | null> {
  const row = await db
    .selectFrom('messageTemplate')
    .select(['id', 'name', 'text', 'version'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function addTemplate(db: Db, template: MessageTemplate, now: number): Promise<void> {
  await db
    .insertInto('messageTemplate')
    .values({ ...template, updatedAt: now })
    .execute()
}

/** Returns false if the version has changed or the template was deleted. */
export async function changeTemplate(
  db: Db,
  { id, name, text, version }: MessageTemplate,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('messageTemplate')
    .set({ name, text, version: version + 1, updatedAt: now })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns false if there is no such template. */
export async function removeTemplate(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('messageTemplate').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}
