import type { Db } from '#server/db/database.ts'
import type { PersonStateTable } from '#server/db/schema/roll-schema.ts'
import { cancelEmailsTo } from '#server/jobs/outbox.repository.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { findAccount, type Account } from '#server/features/accounts/account.queries.ts'
import { listMergedAccountIds } from '#server/features/accounts/account-merge.queries.ts'
import { findEmailSubjectIds } from '#server/features/accounts/email-subjects.queries.ts'
import {
  markUnsubscribed,
  restoreSubscription,
  suppress,
  unsuppress,
} from '#server/features/newsletter/subscribers/subscriber.commands.ts'
import { findSubscriberByEmail } from '#server/features/newsletter/subscribers/subscriber.queries.ts'

const REASON = 'deceased'

/** The addresses of a person: of the account, and of those that were merged into it. */
async function listAddresses(db: Db, { id, email }: Account): Promise<string[]> {
  const merged = await listMergedAccountIds(db, id)
  const accounts = await Promise.all(merged.map((one) => findAccount(db, one)))
  return [...new Set([email, ...accounts.flatMap((account) => account?.email ?? [])])]
}

/**
 * Ends all emails to a person who died: what waits is canceled, and newsletters skip the addresses. What is queued later is stopped where emails are sent
 * (`mayEmail`). Returns the state of the newsletter subscription before.
 */
export async function endEmails(
  tx: Db,
  secrets: Secrets,
  account: Account,
  now: number,
): Promise<PersonStateTable['endedNewsletter']> {
  const subscriber = await findSubscriberByEmail(tx, account.email)
  for (const address of await listAddresses(tx, account)) {
    await cancelEmailsTo(tx, await findEmailSubjectIds(tx, address, [account.id]), now)
    await suppress(tx, addressHash(secrets, address), REASON, now)
  }
  await markUnsubscribed(tx, account.email, now)
  return subscriber?.state ?? null
}

export async function restoreEmails(
  tx: Db,
  secrets: Secrets,
  { account, newsletter }: { account: Account; newsletter: PersonStateTable['endedNewsletter'] },
): Promise<void> {
  for (const address of await listAddresses(tx, account)) await unsuppress(tx, addressHash(secrets, address), REASON)
  if (newsletter !== null) await restoreSubscription(tx, account.email, newsletter)
}
