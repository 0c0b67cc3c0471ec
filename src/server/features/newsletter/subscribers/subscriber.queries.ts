import type { Db } from '#server/db/database.ts'
import type { SubscriberTable } from '#server/db/schema/newsletter-schema.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

/** `pending`: not confirmed yet; receives only the confirmation email. */
export type SubscriberState = SubscriberTable['state']

export type Subscriber = Omit<SubscriberTable, 'emailKey' | 'hardBounces' | 'softBounces'>

export async function findSubscriberByEmail(db: Db, email: string): Promise<Subscriber | null> {
  const row = await db.selectFrom('subscriber').selectAll().where('emailKey', '=', nameKey(email)).executeTakeFirst()
  return row ?? null
}

export const NOT_IMPORTED = { importedAt: null, consentOn: null, consentSource: null }

/** Which of these addresses nothing but personal emails may go to: they bounced, or their owner complained. */
export async function listBlockedAddresses(db: Db, emailHashes: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('suppression')
    .select('emailHash')
    .where('reason', 'in', ['bounce', 'complaint'])
    .where('emailHash', 'in', emailHashes)
    .execute()
  return new Set(rows.map(({ emailHash }) => emailHash))
}

/** Which of these hashes are on the suppression list. */
export async function listSuppressed(db: Db, emailHashes: readonly string[]): Promise<Set<string>> {
  if (emailHashes.length === 0) return new Set()
  const rows = await db.selectFrom('suppression').select('emailHash').where('emailHash', 'in', emailHashes).execute()
  return new Set(rows.map((row) => row.emailHash))
}
