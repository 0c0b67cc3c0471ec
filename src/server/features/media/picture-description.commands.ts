import type { Db } from '#server/db/database.ts'
import { type PictureDescription, type PictureRef } from './picture-descriptions.rules.ts'

/** Upserts a description. A person has one portrait, so any other picture of theirs is unlinked. */
export async function saveDescription(
  db: Db,
  { bucket, folder, filename }: PictureRef,
  { alt, caption, person }: PictureDescription,
): Promise<void> {
  if (person)
    await db
      .updateTable('picture_description')
      .set({ person_list: null, person_name: null })
      .where('person_list', '=', person.list)
      .where('person_name', '=', person.name)
      .execute()
  const values = { alt, caption, person_list: person?.list ?? null, person_name: person?.name ?? null }
  await db
    .insertInto('picture_description')
    .values({ bucket, folder, filename, ...values })
    .onConflict((conflict) => conflict.columns(['bucket', 'folder', 'filename']).doUpdateSet(values))
    .execute()
}

export async function deleteDescription(db: Db, { bucket, folder, filename }: PictureRef): Promise<void> {
  await db
    .deleteFrom('picture_description')
    .where('bucket', '=', bucket)
    .where('folder', '=', folder)
    .where('filename', '=', filename)
    .execute()
}
