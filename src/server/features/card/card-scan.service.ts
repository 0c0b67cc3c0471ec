import type { AppContext } from '#server/app-context.ts'
import { cardCodeIn } from '#contract/card-code.ts'
import type { ScannedCard } from '#contract/console/people/member-card.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { findMergeTarget } from '#server/features/accounts/account-merge.queries.ts'
import { findAccount, type Account } from '#server/features/accounts/account.queries.ts'
import { findCardMembership } from './card-membership.queries.ts'
import { findCardByHash } from './member-card.queries.ts'

/** What a card stands for at the moment it is scanned. */
export function createCardScans({ db, clock, graceMs, limiter, settings }: AppContext) {
  /** The account that a merged one belongs to now. */
  async function findOwner(accountId: string): Promise<Account | null> {
    const target = await findMergeTarget(db, accountId)
    return target === null ? findAccount(db, accountId) : findOwner(target)
  }

  async function find(scanned: string, mayLookAtMembers: boolean): Promise<ScannedCard | null> {
    const code = cardCodeIn(scanned)
    const card = code && (await findCardByHash(db, hashToken(code)))
    const account = card && (await findOwner(card.accountId))
    if (!card || !account) return null
    const moment = { now: clock.now(), graceMs: graceMs() }
    const membership = await findCardMembership(db, account.id, moment)
    return {
      ...membership,
      status: account.deactivatedBy === null ? membership.status : 'disabled',
      name: `${account.firstName} ${account.lastName}`,
      number: card.number,
      memberId: mayLookAtMembers ? account.id : null,
    }
  }

  return {
    /** A code that was revoked or replaced is as unknown as one that never was. @throws Problem RATE_LIMITED after many unknown codes */
    async scan({ accountId, permissions }: Officer, scanned: string): Promise<{ card: ScannedCard | null }> {
      const limit = settings().rateLimits.unknownCards
      const verdict = await limiter.peek('unknownCards', accountId, limit)
      if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
      const card = await find(scanned, permissions.includes('members.look'))
      if (!card) await limiter.hit('unknownCards', accountId, limit)
      return { card }
    },
  }
}

export type CardScans = ReturnType<typeof createCardScans>
