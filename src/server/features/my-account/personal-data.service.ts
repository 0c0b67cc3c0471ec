import type { AppContext } from '#server/app-context.ts'
import type { AccountView, PersonalData } from '#contract/public/account-data.ts'
import type { MemberRecordService } from '#server/features/member-record/member-record.service.ts'
import type { AccountService } from './account.service.ts'
import { listAccountViews, readPersonalData } from './personal-data.repository.ts'

export function createPersonalDataService(
  { db, cache, clock }: AppContext,
  {
    accounts,
    records,
  }: {
    accounts: Pick<AccountService, 'profile'>
    records: Pick<MemberRecordService, 'all'>
  },
) {
  return {
    /** Returns all data stored about a person, for that person. */
    async read(accountId: string): Promise<PersonalData> {
      const { profile } = await accounts.profile(accountId)
      return {
        writtenAt: new Date(clock.now()).toISOString(),
        account: profile,
        record: await records.all(accountId),
        ...(await readPersonalData(db, {
          accountId,
          email: profile.email,
          credentialKinds: cache.content().credentialKinds,
        })),
      }
    },

    /** Newest first. */
    async views(accountId: string): Promise<AccountView[]> {
      return (await listAccountViews(db, accountId)).reverse()
    },
  }
}

export type PersonalDataService = ReturnType<typeof createPersonalDataService>
