import type { Kysely } from 'kysely'
import type { PersonalData } from '#contract/public/account-data.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { AccountService } from './account.service.ts'
import { readPersonalData } from './personal-data.repository.ts'

export interface PersonalDataService {
  /** Returns all data stored about a person, for that person. */
  read(accountId: string): Promise<PersonalData>
}

export function createPersonalDataService({
  db,
  clock,
  accounts,
}: {
  db: Kysely<Schema>
  clock: Clock
  accounts: Pick<AccountService, 'profile'>
}): PersonalDataService {
  return {
    async read(accountId) {
      const { profile } = await accounts.profile(accountId)
      return {
        writtenAt: new Date(clock.now()).toISOString(),
        account: profile,
        ...(await readPersonalData(db, { accountId, email: profile.email })),
      }
    },
  }
}
