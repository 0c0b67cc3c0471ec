import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'
import { addTerm } from '#server/features/officers/officer.commands.ts'
import { insertCredential } from '#server/features/credentials/credential.commands.ts'
import { listCredentials } from '#server/features/credentials/credential.queries.ts'
import { newId } from '#server/lib/ids.ts'
import type { Acted } from './officer-actions.ts'

/** Gives an account all data that the actions need. */
export async function equip(db: Kysely<Schema>, { id, email }: { id: string; email: string }): Promise<Acted> {
  const now = Date.now()
  const orderId = newId(now)
  const order: Record<string, string | number> = {
    id: orderId,
    event_id: 'gala',
    title: 'Gala',
    name: 'Meera',
    email,
    email_key: email.toLowerCase(),
    guests: 0,
    meals: '[]',
    seats: 1,
    own_price: 1,
    guest_price: 1,
    lines: '[]',
    amount: 1,
    currency: 'usd',
    state: 'paid',
    paid_at: now,
    attempt: 0,
    nonce_hash: 'x',
    created_at: now,
    expires_at: now,
    checked_at: now,
    amount_refunded: 0,
  }
  const columns = sql.join(Object.keys(order).map((column) => sql.ref(column)))
  await sql`insert into rsvp_order (${columns}) values (${sql.join(Object.values(order))})`.execute(db)
  const given = { kind: 'licence', npi: '1234567893', licenceState: 'GA', place: null, endsOn: null } as const
  await insertCredential(db, id, given, now)
  const [credential] = await listCredentials(db, id)
  await db.updateTable('credential').set({ status: 'declined' }).where('accountId', '=', id).execute()
  const termId = newId(now)
  const term = { id: termId, accountId: id, role: 'viewer', startsOn: '2020-01-01', endsOn: '2020-01-02' } as const
  await addTerm(db, { ...term, givenBy: 'webmaster' }, now)
  return { id, email, orderId, credentialId: credential?.id ?? '', termId }
}
