import { sql, type Kysely } from 'kysely'

/**
 * What stands under a picture, and whose portrait it is. Until now a portrait of the forum was found by the name of its file, that of the member's office:
 * those links are written down for the people who hold the offices now, whatever the ending of the file, so that they go on showing.
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
