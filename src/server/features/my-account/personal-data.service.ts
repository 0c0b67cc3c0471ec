import type { AppContext } from '#server/app-context.ts'
import type { AccountView, PersonalData } from '#contract/public/account-data.ts'
import type { AccountService } from './account.service.ts'
import { listAccountViews, readPersonalData } from './personal-data.repository.ts'

export function createPersonalDataService(
  { db, clock }: AppContext,
  {
    accounts,
  }: {
    accounts: Pick<AccountService, 'profile'>
  },
) {
  return {
    /** Returns all data stored about a person, for that person. */
    async read(accountId: string): Promise<PersonalData> {
      const { profile } = await accounts.profile(accountId)
      return {
        writtenAt: new Date(clock.now()).toISOString(),
        account: profile,
        ...(await readPersonalData(db, { accountId, email: profile.email })),
      }
    },

    /** Newest first. */
    async views(accountId: string): Promise<AccountView[]> {
      return (await listAccountViews(db, accountId)).reverse()
    },
  }
}

export type PersonalDataService = ReturnType<typeof createPersonalDataService>
