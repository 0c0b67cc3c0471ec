import type { Db } from '#server/db/database.ts'
import { type PictureDescription, type PictureRef } from './picture-descriptions.rules.ts'

/** Upserts a description. A person has one portrait, so any other picture of theirs is unlinked. */
export async function saveDescription(
  db: Db,
  { bucket, folder, filename }: PictureRef,
  { alt, caption, person, name, position }: PictureDescription,
): Promise<void> {
  if (person)
    await db
      .updateTable('pictureDescription')
      .set({ personList: null, personName: null })
      .where('personList', '=', person.list)
      .where('personName', '=', person.name)
      .execute()
  const values = { alt, caption, name, position, personList: person?.list ?? null, personName: person?.name ?? null }
  await db
    .insertInto('pictureDescription')
    .values({ bucket, folder, filename, ...values })
    .onConflict((conflict) => conflict.columns(['bucket', 'folder', 'filename']).doUpdateSet(values))
    .execute()
}

export async function deleteDescription(db: Db, { bucket, folder, filename }: PictureRef): Promise<void> {
  await db
    .deleteFrom('pictureDescription')
    .where('bucket', '=', bucket)
    .where('folder', '=', folder)
    .where('filename', '=', filename)
    .execute()
}

/** Gives the pictures of a folder the places of the list. */
export async function savePositions(
  db: Db,
  { bucket, folder }: Omit<PictureRef, 'filename'>,
  filenames: readonly string[],
): Promise<void> {
  await db
    .updateTable('pictureDescription')
    .set({ position: null })
    .where('bucket', '=', bucket)
    .where('folder', '=', folder)
    .execute()
  for (const [position, filename] of filenames.entries())
    await db
      .insertInto('pictureDescription')
      .values({ bucket, folder, filename, alt: '', position })
      .onConflict((conflict) => conflict.columns(['bucket', 'folder', 'filename']).doUpdateSet({ position }))
      .execute()
}
