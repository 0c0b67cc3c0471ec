import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Payment intents of all payments with an open dispute, as of the last sync with the provider. */
export async function listOpenDisputes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ intent: string }>`
    select payment_intent_id as intent from payment where dispute_state = 'open' and payment_intent_id is not null
    union select payment_reference from sponsorship where dispute_state = 'open' and payment_reference is not null
    union select payment_reference from rsvp_order where dispute_state = 'open' and payment_reference is not null`.execute(
    db,
  )
  return rows.map(({ intent }) => intent)
}
