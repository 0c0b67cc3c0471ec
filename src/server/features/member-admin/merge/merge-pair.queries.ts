import type { AppContext } from '#server/app-context.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { errors } from '#contract/errors.ts'
import type { Db } from '#server/db/database.ts'
import { Problem } from '#server/lib/problem.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { findMergeTargetEmail } from '#server/features/accounts/account-merge.queries.ts'
import { findAccount, type Account } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { holdsRoleFrom } from '#server/features/officers/officer.queries.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import { listSuppressed } from '#server/features/newsletter/subscribers/subscriber.queries.ts'
import { membershipVersion } from '#server/features/memberships/payments/manual-payment.rules.ts'
import { findCurrentMembership, type Membership } from '#server/features/memberships/membership.queries.ts'
import { findAddressData, hasOpenOrder, isBeingDeleted, type AddressData } from './merge.repository.ts'
import { mergeObstacles, newsletterOutcome, survivingMembership, type Mergeable } from './merge.rules.ts'

export interface MergeSideSnapshot {
  account: Account
  membership: Membership | null
  mergeable: Mergeable
}

export interface MergePair {
  kept: MergeSideSnapshot
  merged: MergeSideSnapshot
}

/** Records tied to the released address, and what happens to its newsletter subscription. */
export interface AddressRecords {
  at: AddressData
  newsletter: 'moves' | 'ends' | 'stays'
}

/** Loads two accounts and applies the merge rules, using the given database handle. */
export function createPairReader(
  { clock, secrets, timeZone, graceMs }: AppContext,
  {
    guard,
  }: {
    guard: ActAuthorizer
  },
) {
  async function readSide(handle: Db, id: string): Promise<MergeSideSnapshot> {
    const account = await findAccount(handle, id)
    if (!account) throw new Problem('NOT_FOUND')
    const membership = await findCurrentMembership(handle, id)
    const isMerged = (await findMergeTargetEmail(handle, id)) !== null
    const closed = { officer: 'disabled', deceased: 'deceased', self: 'left' } as const
    return {
      account,
      membership,
      mergeable: {
        name: `${account.firstName} ${account.lastName}`,
        email: account.email,
        closed: isMerged ? 'merged' : account.deactivatedBy && closed[account.deactivatedBy],
        holdsRole: await holdsRoleFrom(handle, id, dayOf(clock.now(), timeZone)),
        hasOpenOrder: await hasOpenOrder(handle, account),
        isBeingDeleted: await isBeingDeleted(handle, id),
        membership,
      },
    }
  }

  /** @throws Problem NOT_FOUND, also for the same account twice */
  async function readPair(handle: Db, keptId: string, mergedId: string): Promise<MergePair> {
    if (keptId === mergedId) throw new Problem('NOT_FOUND')
    return { kept: await readSide(handle, keptId), merged: await readSide(handle, mergedId) }
  }

  function obstaclesOf({ kept, merged }: MergePair): string[] {
    return mergeObstacles({ kept: kept.mergeable, merged: merged.mergeable }, clock.now(), graceMs())
  }

  async function refusalsOf(handle: Db, { kept, merged }: MergePair, by: string): Promise<string[]> {
    const found = new Set<string>()
    for (const { account } of [kept, merged]) {
      const code = await guard.refusal(handle, { act: 'mergeMembers', by, on: account.id })
      if (code !== null) found.add(errors[code].message)
    }
    return [...found]
  }

  function survivorOf({ kept, merged }: MergePair) {
    return survivingMembership({ kept: kept.membership, merged: merged.membership }, clock.now(), graceMs())
  }

  async function readAddresses(
    handle: Db,
    { winner, loser }: { winner: string; loser: string },
  ): Promise<AddressRecords> {
    const at = await findAddressData(handle, { winner, loser })
    const suppressed = await listSuppressed(handle, [addressHash(secrets, winner)])
    const newsletter = newsletterOutcome(
      { winner: at.winnerSubscription, loser: at.loserSubscription?.state ?? null },
      suppressed.size > 0,
    )
    return { at, newsletter }
  }

  return {
    readPair,
    findObstacles:
      obstaclesOf /** Why this officer may not merge these accounts, as sentences; the guard checks again during the merge. */,
    findRefusals: refusalsOf,
    findSurvivor: survivorOf,
    readAddresses,
  }
}

export type MergePairReader = ReturnType<typeof createPairReader>

/** Changes with everything an officer's decision was based on. */
export function pairVersion({ kept, merged }: MergePair): string {
  const parts = [kept, merged].map(({ account, membership }) => [
    pickNames(account),
    account.deactivatedBy,
    membershipVersion(membership),
  ])
  return hashToken(JSON.stringify(parts))
}

export function pickNames({ email, username, firstName, lastName }: Account) {
  return { email, username, firstName, lastName }
}
