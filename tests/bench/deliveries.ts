import { sql } from 'kysely'
import { openDatabase } from '#server/db/open-database.ts'
import { addCampaigns } from './newsletter.ts'
import type { Random } from '#tests/trust/random.ts'

const CAMPAIGNS = 10
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Subscribers, and for each of ten newsletters a delivery to each of them, inserted into a SQLite file with a few statements. */
export async function addDeliveries(databaseUrl: string, count: number, random: Random): Promise<void> {
  await addCampaigns(databaseUrl, CAMPAIGNS, random)
  const { db, close } = openDatabase(databaseUrl, quiet)
  const readers = Math.round(count / CAMPAIGNS)
  const now = Date.now()
  await sql`
    with recursive number (n) as (select 1 union all select n + 1 from number where n < ${readers})
    insert into subscriber (id, email, email_key, state, source, asked_at, confirmed_at)
    select 'reader-' || n, 'Reader' || n || '@bench.example', 'reader' || n || '@bench.example', 'subscribed', 'homepage', ${now} - n, ${now}
    from number`.execute(db)
  for (let number = 0; number < CAMPAIGNS; number++) {
    const campaign = `campaign-${number}`
    await sql`
      insert into delivery (id, campaign_id, recipient_id, email, state, attempts, due_at, finished_at)
      select ${campaign} || '-' || id, ${campaign}, id, email, 'accepted', 1, ${now}, ${now}
      from subscriber where id like 'reader-%'`.execute(db)
  }
  await close()
}
