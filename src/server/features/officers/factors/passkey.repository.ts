import type { Transport } from '#contract/public/passkeys.ts'
import type { PasskeyTable } from '#server/db/schema/console-schema.ts'
import type { Db } from '#server/db/database.ts'
import { knownTransports } from './passkey.rules.ts'

export type Passkey = Omit<PasskeyTable, 'transports'> & { transports: Transport[] }

/** What a challenge was issued for. */
export type ChallengePurpose = 'first' | 'add' | 'prove'

/** Returns the passkeys of an account, oldest first. */
export async function findPasskeys(db: Db, accountId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkey')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(readTransports)
}

/** Finds a passkey of this account; others are not found. */
export async function findPasskey(
  db: Db,
  { accountId, ...which }: { accountId: string } & ({ id: string } | { credentialId: string }),
): Promise<Passkey | null> {
  const row = await db
    .selectFrom('passkey')
    .selectAll()
    .where('accountId', '=', accountId)
    .where((eb) => ('id' in which ? eb('id', '=', which.id) : eb('credentialId', '=', which.credentialId)))
    .executeTakeFirst()
  return row ? readTransports(row) : null
}

/** Returns false if this passkey is already registered, for any account. */
export async function insertPasskey(db: Db, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
  const row = await db
    .insertInto('passkey')
    .values({ ...passkey, transports: passkey.transports.join(' '), lastUsedAt: null })
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function recordPasskeyUse(
  db: Db,
  { id, counter, now }: { id: string; counter: number; now: number },
): Promise<void> {
  await db.updateTable('passkey').set({ counter, lastUsedAt: now }).where('id', '=', id).execute()
}

export async function setPasskeyName(db: Db, id: string, name: string): Promise<void> {
  await db.updateTable('passkey').set({ name }).where('id', '=', id).execute()
}

export async function deletePasskey(db: Db, id: string): Promise<void> {
  await db.deleteFrom('passkey').where('id', '=', id).execute()
}

/** Stores a challenge; deletes expired ones of the same account. */
export async function saveChallenge(
  db: Db,
  challenge: {
    hash: string
    accountId: string
    sessionId: string
    purpose: ChallengePurpose
    expiresAt: number
    now: number
  },
): Promise<void> {
  const { hash, accountId, sessionId, purpose, expiresAt, now } = challenge
  await db.deleteFrom('passkeyChallenge').where('accountId', '=', accountId).where('expiresAt', '<=', now).execute()
  await db
    .insertInto('passkeyChallenge')
    .values({ challengeHash: hash, accountId, sessionId, purpose, expiresAt })
    .execute()
}

/**
 * Consumes a challenge. Returns true only for the first response of this account, session and purpose before it
 * expires.
 */
export async function redeemChallenge(
  db: Db,
  challenge: { hash: string; accountId: string; sessionId: string; purpose: ChallengePurpose; now: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeyChallenge')
    .where('challengeHash', '=', challenge.hash)
    .where('accountId', '=', challenge.accountId)
    .where('sessionId', '=', challenge.sessionId)
    .where('purpose', '=', challenge.purpose)
    .where('expiresAt', '>', challenge.now)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteExpiredChallenges(db: Db, now: number): Promise<void> {
  await db.deleteFrom('passkeyChallenge').where('expiresAt', '<=', now).execute()
}

function readTransports(row: PasskeyTable): Passkey {
  return { ...row, transports: knownTransports(row.transports.split(' ')) }
}
