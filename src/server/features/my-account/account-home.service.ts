import type { AppContext } from '#server/app-context.ts'
import type { Permission } from '#contract/access.ts'
import { kindsInUse } from '#contract/credentials/credential-kinds.ts'
import type { AccountHome } from '#contract/public/my-account/account-home.ts'
import { findCredential, type Credential } from '#server/features/credentials/credential.queries.ts'
import type { MemberRsvps } from '#server/features/rsvps/of-member/member-rsvps.service.ts'
import { requireAccount } from './account.service.ts'
import { findEmailChange } from './email-change/email-change.queries.ts'
import { emailChangeExpiresAt } from './email-change/email-change.rules.ts'

export function createAccountHomeService(
  { db, cache, clock }: AppContext,
  {
    memberRsvps,
  }: {
    memberRsvps: Pick<MemberRsvps, 'list'>
  },
) {
  const areAsked = () => kindsInUse(cache.content().credentialKinds).length > 0

  return {
    /** @param viewer the permissions of an officer who views the site as this member */
    async read(accountId: string, viewer: readonly Permission[] | undefined): Promise<AccountHome> {
      const account = await requireAccount(db, accountId)
      const change = await findEmailChange(db, accountId)
      const isPending = change !== null && clock.now() < emailChangeExpiresAt(change)
      return {
        pendingEmail: isPending ? change.email : null,
        credentials: credentialState(await findCredential(db, accountId), areAsked()),
        ...(await memberRsvps.list(account, {
          isReader: viewer !== undefined,
          seesMoney: viewer?.includes('money.look') ?? true,
        })),
      }
    },
  }
}

export type AccountHomeService = ReturnType<typeof createAccountHomeService>

function credentialState(credential: Credential | null, areAsked: boolean): AccountHome['credentials'] {
  if (credential === null) return areAsked ? 'missing' : 'unasked'
  // Without a kind in use there is nothing to correct.
  if (credential.status === 'declined' && !areAsked) return 'unasked'
  return credential.question !== null && credential.answeredAt === null ? 'question' : credential.status
}
