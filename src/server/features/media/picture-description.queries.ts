import type { PicturePerson } from '#contract/public/media.ts'
import type { Db } from '#server/db/database.ts'
import { pictureKey, type PictureDescription } from './picture-descriptions.rules.ts'

/** By `bucket/folder/filename`. */
export async function listDescriptions(db: Db): Promise<Map<string, PictureDescription>> {
  const rows = await db.selectFrom('pictureDescription').selectAll().execute()
  return new Map(
    rows.map(({ alt, caption, name, position, personList, personName, ...ref }) => [
      pictureKey(ref),
      {
        alt,
        caption,
        name,
        position,
        person:
          personList !== null && personName !== null
            ? { list: personList as PicturePerson['list'], name: personName }
            : null,
      },
    ]),
  )
}
