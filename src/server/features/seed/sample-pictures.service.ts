import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '#server/config/config.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { listRecords } from '#server/features/content-store/content.queries.ts'
import { forumKind } from '#server/features/content-store/kinds/people.kinds.ts'
import { saveDescription } from '#server/features/media/picture-description.commands.ts'
import { createDiskStore } from '#server/media-store/disk-store.ts'
import { mediaDirectory } from '#server/media-store/create-media-store.ts'
import { ART_DIRECTORY } from '#server/media-store/pictures/site-illustrations.ts'
import { SAMPLE_PROFILE, SAMPLE_DIRECTORY } from '#server/config/profiles.ts'

/**
 * Creates the media folder with sample pictures, and describes them. A no-op in production, for a profile without samples, or if the folder exists, even if it is empty.
 */
export async function addSamplePictures(
  db: Kysely<Schema>,
  { production, profile, storage, dataDirectory }: Pick<Config, 'production' | 'profile' | 'storage' | 'dataDirectory'>,
): Promise<void> {
  const directory = mediaDirectory(dataDirectory)
  if (production || profile !== SAMPLE_PROFILE || storage || existsSync(directory)) return
  const { readSamplePictures } = await import('./content-files.service.ts')
  const folders = readSamplePictures(SAMPLE_DIRECTORY)
  const store = createDiskStore(directory)
  for (const { bucket, folder, pictures } of folders) {
    for (const { art, name } of pictures) {
      const filename = `${name}.svg`
      const bytes = await readFile(join(ART_DIRECTORY, `${art}.svg`))
      await store.put(bucket, folder, { filename, files: [{ name: filename, contentType: 'image/svg+xml', bytes }] })
    }
  }
  await db.transaction().execute(async (tx) => {
    const [forum] = await listRecords(tx, forumKind)
    for (const { bucket, folder, pictures } of folders) {
      for (const { name, alt = '', caption = null, forumMember } of pictures) {
        const member = forum?.value.team.find(({ id }) => id === forumMember)
        const person = member ? ({ list: 'forum', name: member.name } as const) : null
        if (alt || caption || person)
          await saveDescription(
            tx,
            { bucket, folder, filename: `${name}.svg` },
            { alt, caption, person, name: null, position: null },
          )
      }
    }
    await incrementContentVersion(tx)
  })
}
