import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { listRecords } from '#server/features/content-store/content.queries.ts'
import { forumKind } from '#server/features/content-store/kinds/people.kinds.ts'
import { saveDescription } from '#server/features/media/picture-description.commands.ts'

/** The sample portraits are named after the ids of the forum's sample officers, such as president.svg. */
export async function linkSamplePortraits(db: Kysely<Schema>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const [forum] = await listRecords(tx, forumKind)
    for (const { id, name } of forum?.value.team ?? []) {
      const ref = { bucket: 'exec', folder: 'team', filename: `${id}.svg` }
      await saveDescription(tx, ref, { alt: '', caption: null, person: { list: 'forum', name } })
    }
    await incrementContentVersion(tx)
  })
}
