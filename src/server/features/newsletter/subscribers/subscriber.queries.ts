import type { Db } from '#server/db/database.ts'
import type { SubscriberTable } from '#server/db/schema/newsletter-schema.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

/** `pending`: not confirmed yet; receives only the confirmation email. */
export type SubscriberState = SubscriberTable['state']

export interface Subscriber {
  id: string
  email: string
  state: SubscriberState
  source: string
  /** Epoch milliseconds. */
  requestedAt: number
  confirmedAt: number | null
  unsubscribedAt: number | null
  /** Set for imported subscribers: when they were imported, and the consent stated in the file. */
  imported?: { at: number; consentOn: string | null; consentSource: string | null }
}

export async function findSubscriberByEmail(db: Db, email: string): Promise<Subscriber | null> {
  const row = await db.selectFrom('subscriber').selectAll().where('emailKey', '=', nameKey(email)).executeTakeFirst()
  return row ? toSubscriber(row) : null
}

export const NOT_IMPORTED = { importedAt: null, consentOn: null, consentSource: null }

/** Which of these hashes are on the suppression list. */
export async function listSuppressed(db: Db, emailHashes: readonly string[]): Promise<Set<string>> {
  if (emailHashes.length === 0) return new Set()
  const rows = await db.selectFrom('suppression').select('emailHash').where('emailHash', 'in', emailHashes).execute()
  return new Set(rows.map((row) => row.emailHash))
}

export function toSubscriber(row: SubscriberTable): Subscriber {
  return {
    id: row.id,
    email: row.email,
    state: row.state,
    source: row.source,
    requestedAt: row.askedAt,
    confirmedAt: row.confirmedAt,
    unsubscribedAt: row.leftAt,
    ...(row.importedAt !== null && {
      imported: { at: row.importedAt, consentOn: row.consentOn, consentSource: row.consentSource },
    }),
  }
}
