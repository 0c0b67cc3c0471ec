import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { refreshRows } from '#server/features/listed-members/refresh-rows.queries.ts'
import type { ReachFacts } from './reach.rules.ts'

type Blocked = NonNullable<ReachFacts['blocked']>

const ROWS_AT_ONCE = 500

/** Hashes the addresses of accounts that are new or have changed it, and all of them after the site's secret was replaced. */
export async function refreshHashedAddresses(db: Db, secrets: Secrets): Promise<void> {
  const keyCheck = addressHash(secrets, '').slice(0, 8)
  await refreshRows(db, {
    due: (handle) =>
      handle
        .selectFrom('hashedAddress')
        .select('accountId')
        .where((eb) =>
          eb.or([eb('emailHash', 'is', null), eb('keyCheck', '<', keyCheck), eb('keyCheck', '>', keyCheck)]),
        ),
    atOnce: ROWS_AT_ONCE,
    write: async (tx, ids) => {
      const accounts = await tx.selectFrom('account').select(['id', 'email']).where('id', 'in', ids).execute()
      // Without an address there is nothing to hash, and nothing is out of date.
      const hashOf = (email: string) => (email === '' ? '' : addressHash(secrets, email))
      await tx
        .insertInto('hashedAddress')
        .values(accounts.map(({ id, email }) => ({ accountId: id, emailHash: hashOf(email), keyCheck })))
        .onConflict((conflict) =>
          conflict
            .column('accountId')
            .doUpdateSet((eb) => ({ emailHash: eb.ref('excluded.emailHash'), keyCheck: eb.ref('excluded.keyCheck') })),
        )
        .execute()
    },
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
