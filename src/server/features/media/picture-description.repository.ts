import type { Db } from '#server/db/database.ts'

interface Place {
  bucket: string
  folder: string
  filename: string
}

/** What pictures show, by `bucket/folder/filename`. */
export async function listDescriptions(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('picture_description').selectAll().execute()
  return new Map(rows.map(({ bucket, folder, filename, alt }) => [`${bucket}/${folder}/${filename}`, alt]))
}

export async function saveDescription(db: Db, { bucket, folder, filename }: Place, alt: string): Promise<void> {
  await db
    .insertInto('picture_description')
    .values({ bucket, folder, filename, alt })
    .onConflict((conflict) => conflict.columns(['bucket', 'folder', 'filename']).doUpdateSet({ alt }))
    .execute()
}

export async function forgetDescription(db: Db, { bucket, folder, filename }: Place): Promise<void> {
  await db
    .deleteFrom('picture_description')
    .where('bucket', '=', bucket)
    .where('folder', '=', folder)
    .where('filename', '=', filename)
    .execute()
}
