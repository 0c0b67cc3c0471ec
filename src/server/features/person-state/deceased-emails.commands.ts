import type { Db } from '#server/db/database.ts'
import type { PersonStateTable } from '#server/db/schema/roll-schema.ts'
import { cancelEmailsTo } from '#server/jobs/outbox.repository.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import type { Account } from '#server/features/accounts/account.queries.ts'
import { findEmailSubjectIds } from '#server/features/accounts/email-subjects.queries.ts'
import {
  markUnsubscribed,
  restoreSubscription,
  suppress,
  unsuppress,
} from '#server/features/newsletter/subscribers/subscriber.commands.ts'
import { findSubscriberByEmail } from '#server/features/newsletter/subscribers/subscriber.queries.ts'

const REASON = 'deceased'

/**
 * Ends all emails to a person who died: what waits is canceled, and newsletters skip the address. What is queued later is stopped where emails are sent
 * (`mayEmail`). Returns the state of the newsletter subscription before.
 */
export async function endEmails(
  tx: Db,
  secrets: Secrets,
  { id, email }: Account,
  now: number,
): Promise<PersonStateTable['endedNewsletter']> {
  await cancelEmailsTo(tx, await findEmailSubjectIds(tx, email, [id]), now)
  const subscriber = await findSubscriberByEmail(tx, email)
  await suppress(tx, addressHash(secrets, email), REASON, now)
  await markUnsubscribed(tx, email, now)
  return subscriber?.state ?? null
}

export async function restoreEmails(
  tx: Db,
  secrets: Secrets,
  { account: { email }, newsletter }: { account: Account; newsletter: PersonStateTable['endedNewsletter'] },
): Promise<void> {
  await unsuppress(tx, addressHash(secrets, email), REASON)
  if (newsletter !== null) await restoreSubscription(tx, email, newsletter)
}
