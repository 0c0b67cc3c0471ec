import { sql } from 'kysely'
import { engineOf, type Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { refreshRows } from '#server/features/listed-members/refresh-rows.queries.ts'
import type { ReachFacts } from './reach.rules.ts'

type Blocked = NonNullable<ReachFacts['blocked']>

const ROWS_AT_ONCE = 500
const ROWS_PER_INSERT = 100

/** Hashes the addresses of accounts that are new or have changed it, and all of them after the site's secret was replaced. */
export async function refreshHashedAddresses(db: Db, secrets: Secrets): Promise<void> {
  const keyCheck = addressHash(secrets, '').slice(0, 8)
  const due = (handle: Db) =>
    handle
      .selectFrom('hashedAddress')
      .select('accountId')
      .where((eb) => eb.or([eb('emailHash', 'is', null), eb('keyCheck', '<', keyCheck), eb('keyCheck', '>', keyCheck)]))

  /** Locks the rows before it reads the addresses: a change that comes later makes them out of date again. */
  async function refreshSome(tx: Db): Promise<number> {
    let query = due(tx).limit(ROWS_AT_ONCE)
    if (engineOf(tx) === 'postgres') query = query.forUpdate().skipLocked()
    const ids = (await query.execute()).map(({ accountId }) => accountId)
    if (ids.length === 0) return 0
    const accounts = await tx.selectFrom('account').select(['id', 'email']).where('id', 'in', ids).execute()
    // Without an address there is nothing to hash, and nothing is out of date.
    const hashOf = (email: string) => (email === '' ? '' : addressHash(secrets, email))
    const rows = accounts.map(({ id, email }) => ({ accountId: id, emailHash: hashOf(email), keyCheck }))
    await queryInChunks(
      rows,
      async (some) => {
        await tx
          .insertInto('hashedAddress')
          .values(some)
          .onConflict((conflict) =>
            conflict.column('accountId').doUpdateSet((eb) => ({
              emailHash: eb.ref('excluded.emailHash'),
              keyCheck: eb.ref('excluded.keyCheck'),
            })),
          )
          .execute()
        return []
      },
      ROWS_PER_INSERT,
    )
    return ids.length
  }

  await refreshRows(db, {
    isAnyDue: async (handle) => (await due(handle).limit(1).execute()).length > 0,
    refreshSome,
  })
}

/** The accounts to whose address no email may be sent, and why. Call `refreshHashedAddresses` first. */
export function blockedMembers(db: Db) {
  return db
    .selectFrom('suppression')
    .innerJoin('hashedAddress', 'hashedAddress.emailHash', 'suppression.emailHash')
    .where('suppression.reason', 'in', ['bounce', 'complaint'])
    .select([
      'hashedAddress.accountId',
      sql<Blocked>`case suppression.reason when 'complaint' then 'complained' else 'bounced' end`.as('blocked'),
    ])
    .unionAll(
      db
        .selectFrom('account')
        .where('email', '=', '')
        .select(['id as accountId', sql<Blocked>`'no-email'`.as('blocked')]),
    )
}
