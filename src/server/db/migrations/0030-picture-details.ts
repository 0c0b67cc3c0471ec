import { sql, type Kysely } from 'kysely'

/**
 * Picture captions, and the person a portrait shows. Portraits of forum members used to be found by file name, that of the member's office: those links are
 * stored for the current holders of the offices, whatever the file extension, so that the portraits stay visible.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['caption', 'person_list', 'person_name'])
    await db.schema.alterTable('picture_description').addColumn(name, 'text').execute()
  for (const ending of ['avif', 'gif', 'jpeg', 'jpg', 'png', 'svg', 'webp']) {
    await sql`
      insert into picture_description (bucket, folder, filename, alt, person_list, person_name)
      select 'exec', 'team', id || ${sql.lit(`.${ending}`)}, '', 'forum', name from forum_member where true
      on conflict (bucket, folder, filename) do update
        set person_list = excluded.person_list, person_name = excluded.person_name`.execute(db)
  }
}
