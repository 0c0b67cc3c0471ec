import type { Db } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

/** Returns the ids of all accounts and registrations that have used an address as their own. */
export async function findPersonIdsByAddress(db: Db, address: string): Promise<string[]> {
  const key = nameKey(address)
  const accounts = await db.selectFrom('account').select('id').where('emailKey', '=', key).execute()
  const registrations = await db.selectFrom('pendingRegistration').select('id').where('emailKey', '=', key).execute()
  return [...new Set([...accounts, ...registrations].map(({ id }) => id))]
}

/**
 * Returns every value an outbox payload may contain for emails to a person: the address itself, and the ids of the
 * records that belong to it.
 */
export async function findEmailSubjectIds(db: Db, address: string, people: readonly string[]): Promise<string[]> {
  const key = nameKey(address)
  const found = [
    await db.selectFrom('subscriber').select('id').where('emailKey', '=', key).execute(),
    await db.selectFrom('sponsorship').select('id').where('email', '=', address).execute(),
    await db.selectFrom('rsvp').select('id').where('emailKey', '=', key).execute(),
    await db.selectFrom('rsvpOrder').select('id').where('emailKey', '=', key).execute(),
    await db
      .selectFrom('refund')
      .innerJoin('rsvpOrder', 'rsvpOrder.id', 'refund.paymentId')
      .select('refund.id')
      .where('rsvpOrder.emailKey', '=', key)
      .execute(),
    await db
      .selectFrom('refund')
      .innerJoin('sponsorship', 'sponsorship.id', 'refund.paymentId')
      .select('refund.id')
      .where('sponsorship.email', '=', address)
      .execute(),
    await db.selectFrom('contactMessage').select('id').where('email', '=', address).execute(),
    await db
      .selectFrom('messageAnswer')
      .innerJoin('contactMessage', 'contactMessage.id', 'messageAnswer.messageId')
      .select('messageAnswer.id')
      .where('contactMessage.email', '=', address)
      .execute(),
    ...(people.length === 0
      ? []
      : [
          await db.selectFrom('oneTimeToken').select('id').where('subjectId', 'in', people).execute(),
          await db.selectFrom('payment').select('id').where('accountId', 'in', people).execute(),
          await db.selectFrom('membershipReminder').select('id').where('accountId', 'in', people).execute(),
        ]),
  ]
  return [address, ...people, ...found.flat().map(({ id }) => id)]
}
