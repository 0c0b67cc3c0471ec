import type { PicturePerson } from '#contract/media.ts'
import type { Db } from '#server/db/database.ts'
import { keyOf, type PictureDescription, type PicturePlace } from './picture-descriptions.rules.ts'

/** By `bucket/folder/filename`. */
export async function listDescriptions(db: Db): Promise<Map<string, PictureDescription>> {
  const rows = await db.selectFrom('picture_description').selectAll().execute()
  return new Map(
    rows.map(({ alt, caption, person_list: list, person_name: name, ...place }) => [
      keyOf(place),
      { alt, caption, person: list !== null && name !== null ? { list: list as PicturePerson['list'], name } : null },
    ]),
  )
}

/** Replaces all that was said of it. A person has one portrait: another picture that was theirs is no longer. */
export async function saveDescription(
  db: Db,
  { bucket, folder, filename }: PicturePlace,
  { alt, caption, person }: PictureDescription,
): Promise<void> {
  if (person)
    await db
      .updateTable('picture_description')
      .set({ person_list: null, person_name: null })
      .where('person_list', '=', person.list)
      .where('person_name', '=', person.name)
      .execute()
  const said = { alt, caption, person_list: person?.list ?? null, person_name: person?.name ?? null }
  await db
    .insertInto('picture_description')
    .values({ bucket, folder, filename, ...said })
    .onConflict((conflict) => conflict.columns(['bucket', 'folder', 'filename']).doUpdateSet(said))
    .execute()
}

export async function forgetDescription(db: Db, { bucket, folder, filename }: PicturePlace): Promise<void> {
  await db
    .deleteFrom('picture_description')
    .where('bucket', '=', bucket)
    .where('folder', '=', folder)
    .where('filename', '=', filename)
    .execute()
}
