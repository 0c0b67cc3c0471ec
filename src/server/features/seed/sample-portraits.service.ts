import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import { raiseContentVersion } from '../association/content.repository.ts'
import { listForumMembers } from '../association/forum.repository.ts'
import { saveDescription } from './picture-description.repository.ts'

/** The sample portraits carry the ids of the forum's sample officers: president.svg. */
export async function linkSamplePortraits(db: Kysely<Schema>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { id, name } of await listForumMembers(tx)) {
      const place = { bucket: 'exec', folder: 'team', filename: `${id}.svg` }
      await saveDescription(tx, place, { alt: '', caption: null, person: { list: 'forum', name } })
    }
    await raiseContentVersion(tx)
  })
}
