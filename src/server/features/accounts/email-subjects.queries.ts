import type { Db } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

/** Returns the ids of all accounts and registrations that have used an address as their own. */
export async function findPersonIdsByAddress(db: Db, address: string): Promise<string[]> {
  const key = nameKey(address)
  const accounts = await db.selectFrom('account').select('id').where('email_key', '=', key).execute()
  const registrations = await db.selectFrom('pending_registration').select('id').where('email_key', '=', key).execute()
  return [...new Set([...accounts, ...registrations].map(({ id }) => id))]
}

/**
 * Returns every value an outbox payload may contain for emails to a person: the address itself, and the ids of the
 * records that belong to it.
 */
export async function findEmailSubjectIds(db: Db, address: string, people: readonly string[]): Promise<string[]> {
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
          await db.selectFrom('membership_reminder').select('id').where('account_id', 'in', people).execute(),
        ]),
  ]
  return [address, ...people, ...found.flat().map(({ id }) => id)]
}
