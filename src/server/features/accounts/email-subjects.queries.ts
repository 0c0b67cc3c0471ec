import type { Db } from '#server/db/database.ts'
import { nameKey } from './account.repository.ts'

/** The accounts and registrations an address has or had. */
export async function peopleAt(db: Db, address: string): Promise<string[]> {
  const key = nameKey(address)
  const accounts = await db.selectFrom('account').select('id').where('email_key', '=', key).execute()
  const registrations = await db.selectFrom('pending_registration').select('id').where('email_key', '=', key).execute()
  return [...new Set([...accounts, ...registrations].map(({ id }) => id))]
}

/** Everything a letter to somebody may be about, as the payloads of the outbox name it: the address itself, and the ids of what belongs to it. */
export async function letterSubjects(db: Db, address: string, people: readonly string[]): Promise<string[]> {
  const key = nameKey(address)
  const found = [
    await db.selectFrom('subscriber').select('id').where('email_key', '=', key).execute(),
    await db.selectFrom('sponsorship').select('id').where('email', '=', address).execute(),
    await db.selectFrom('rsvp').select('id').where('email_key', '=', key).execute(),
    await db.selectFrom('rsvp_order').select('id').where('email_key', '=', key).execute(),
    await db
      .selectFrom('rsvp_refund')
      .innerJoin('rsvp_order', 'rsvp_order.id', 'rsvp_refund.order_id')
      .select('rsvp_refund.id')
      .where('rsvp_order.email_key', '=', key)
      .execute(),
    await db.selectFrom('contact_message').select('id').where('email', '=', address).execute(),
    await db
      .selectFrom('message_answer')
      .innerJoin('contact_message', 'contact_message.id', 'message_answer.message_id')
      .select('message_answer.id')
      .where('contact_message.email', '=', address)
      .execute(),
    ...(people.length === 0
      ? []
      : [
          await db.selectFrom('one_time_token').select('id').where('subject_id', 'in', people).execute(),
          await db.selectFrom('payment').select('id').where('account_id', 'in', people).execute(),
          await db.selectFrom('membership_notice').select('id').where('account_id', 'in', people).execute(),
        ]),
  ]
  return [address, ...people, ...found.flat().map(({ id }) => id)]
}
