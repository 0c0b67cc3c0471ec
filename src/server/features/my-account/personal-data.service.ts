import type { Kysely } from 'kysely'
import type { PersonalData } from '#contract/account-data.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { AccountService } from './account.service.ts'
import { readPersonalData } from './personal-data.repository.ts'

export interface PersonalDataService {
  /** Everything held about a person, for the person. */
  of(accountId: string): Promise<PersonalData>
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
    async of(accountId) {
      const { profile } = await accounts.profile(accountId)
      return {
        writtenAt: new Date(clock.now()).toISOString(),
        account: profile,
        ...(await readPersonalData(db, { accountId, email: profile.email })),
      }
    },
  }
}
