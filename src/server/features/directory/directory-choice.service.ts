import type { AppContext } from '#server/app-context.ts'
import type { MemberDirectory } from '#contract/console/people/member-directory.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { DirectoryChoice, setDirectoryChoice } from '#contract/public/my-account/directory-choice.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { saveListing } from './directory-listing.commands.ts'
import { findListing } from './directory-listing.queries.ts'
import type { DirectoryService } from './directory.service.ts'

/** Whether a member is in the directory: the member's own choice. Officers only take out. */
export function createDirectoryChoiceService(
  { db, clock, settings }: AppContext,
  { directory, guard }: { directory: DirectoryService; guard: ActAuthorizer },
) {
  async function own(accountId: string): Promise<DirectoryChoice> {
    const listing = await findListing(db, accountId)
    return {
      inMembers: listing?.inMembers === 1,
      inPublic: listing?.inPublic === 1,
      takesMessages: listing ? listing.takesMessages === 1 : true,
      entryId: (await directory.findMember({ accountId }))?.id ?? null,
      hasPublicPage: settings().publicDirectory.isOn,
      isPublicNow: await directory.isPublic(accountId),
    }
  }

  async function describe(by: Officer, accountId: string): Promise<MemberDirectory> {
    if (!(await findAccount(db, accountId))) throw new Problem('NOT_FOUND')
    const listing = await findListing(db, accountId)
    const isListed = listing?.inMembers === 1 || listing?.inPublic === 1
    const refusal = await guard.refusal(db, { act: 'removeFromDirectory', by: by.accountId, on: accountId })
    return {
      inMembers: listing?.inMembers === 1,
      inPublic: listing?.inPublic === 1,
      isShownToMembers: (await directory.findMember({ accountId })) !== null,
      isShownToPublic: await directory.isPublic(accountId),
      mayRemove: isListed && refusal === null,
    }
  }

  return {
    own,

    async choose(
      accountId: string,
      { inMembers, inPublic, takesMessages }: BodyOf<typeof setDirectoryChoice>,
    ): Promise<DirectoryChoice> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const choice = {
          inMembers: Number(inMembers),
          inPublic: Number(inPublic),
          takesMessages: Number(takesMessages),
        }
        await saveListing(tx, accountId, choice, now)
        const details = { inMembers, inPublic, takesMessages }
        await writeAudit(tx, { actor: accountId, action: 'directory.chosen', subjectId: accountId, details }, now)
      })
      return own(accountId)
    },

    /** @throws Problem NOT_FOUND */
    describe,

    /** The member can turn it on again; officers cannot. @throws Problem NOT_FOUND, OWN_ACCOUNT */
    async remove(by: Officer, accountId: string): Promise<MemberDirectory> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        if (!(await findAccount(tx, accountId))) throw new Problem('NOT_FOUND')
        await guard.require(tx, { act: 'removeFromDirectory', by: by.accountId, on: accountId })
        const listing = await findListing(tx, accountId)
        if (!listing || (listing.inMembers === 0 && listing.inPublic === 0)) return
        const { inMembers, inPublic, takesMessages } = listing
        await saveListing(tx, accountId, { inMembers: 0, inPublic: 0, takesMessages }, now)
        const details = { inMembers: inMembers === 1, inPublic: inPublic === 1 }
        await writeAudit(tx, { actor: by.accountId, action: 'directory.removed', subjectId: accountId, details }, now)
      })
      return describe(by, accountId)
    },
  }
}

export type DirectoryChoiceService = ReturnType<typeof createDirectoryChoiceService>
