import { sql, type Kysely } from 'kysely'
import type { Engine } from '../database.ts'

/** The words of the home page, as earlier releases had them in code. */
const HOME = {
  eyebrow: 'Physicians of Indian origin in Georgia, since 1987',
  headline: 'One house, many doors.',
  lead: "We teach and learn, speak up for our patients, look after one another, and celebrate what we brought with us. Come in; there's a place at the table.",
  join: { label: 'Become a Member', path: '/become-a-member' },
  learnMore: { label: 'Learn More', path: '/about' },
  slides: [],
}

/** Makes them content of a site in use. An empty database is seeded from `a profile`. */
export async function up(db: Kysely<unknown>, _engine: Engine, now: number): Promise<void> {
  const { rows } = await sql`select 1 from content_record limit 1`.execute(db)
  if (rows.length === 0) return
  for (const [kind, value] of Object.entries({ home: HOME, menu: { pages: [] } }))
    await sql`insert into content_record (kind, id, value, updated_at)
      values (${kind}, 'all', ${JSON.stringify(value)}, ${now})`.execute(db)
}
