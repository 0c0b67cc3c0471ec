import { dayOf } from '#contract/dates.ts'
import { errors } from '#contract/errors.ts'
import type { Whose } from '#contract/console-merge.ts'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { hashToken, type Secrets } from '#server/platform/secrets.ts'
import { findKeptAddress } from '../account/account-merge.repository.ts'
import { findAccount, type Account } from '../account/account.repository.ts'
import type { ActGuard } from '../console/act-guard.ts'
import { holdsRoleFrom } from '../console/officer.repository.ts'
import { addressHash } from '../newsletter/address-hash.ts'
import { listSuppressed } from '../newsletter/subscriber.repository.ts'
import { membershipVersion } from './by-hand.rules.ts'
import { findCurrentMembership, type Membership } from './membership.repository.ts'
import { findAtAddress, hasOpenOrder, isBeingDeleted, type AtAddress } from './merge.repository.ts'
import { mergeObstacles, subscriptionAfter, survivingMembership, type Mergeable } from './merge.rules.ts'

export interface Side {
  account: Account
  membership: Membership | null
  facts: Mergeable
}

export interface Pair {
  kept: Side
  merged: Side
}

/** What hangs on the address that is given up, and what becomes of its newsletter. */
export interface AtAddresses {
  at: AtAddress
  letters: 'moves' | 'ends' | 'stays'
}

/** Two accounts as they are now, and what the rules say of them; each question is asked of the handle it is given. */
export interface PairReader {
  /** @throws Problem NOT_FOUND, also for one account twice */
  readPair(handle: Db, keptId: string, mergedId: string): Promise<Pair>
  obstaclesOf(pair: Pair): string[]
  /** Why this officer may not do it to these two, as sentences; the guard refuses the same again when it is done. */
  refusalsOf(handle: Db, pair: Pair, by: string): Promise<string[]>
  survivorOf(pair: Pair): Whose | null
  readAddresses(handle: Db, names: { winner: string; loser: string }): Promise<AtAddresses>
}

export function createPairReader({
  clock,
  secrets,
  timeZone,
  graceMs,
  guard,
}: {
  clock: Clock
  secrets: Secrets
  timeZone: string
  graceMs(): number
  guard: ActGuard
}): PairReader {
  async function readSide(handle: Db, id: string): Promise<Side> {
    const account = await findAccount(handle, id)
    if (!account) throw new Problem('NOT_FOUND')
    const membership = await findCurrentMembership(handle, id)
    const isMerged = (await findKeptAddress(handle, id)) !== null
    const closed = { officer: 'disabled', self: 'left' } as const
    return {
      account,
      membership,
      facts: {
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

  async function readPair(handle: Db, keptId: string, mergedId: string): Promise<Pair> {
    if (keptId === mergedId) throw new Problem('NOT_FOUND')
    return { kept: await readSide(handle, keptId), merged: await readSide(handle, mergedId) }
  }

  function obstaclesOf({ kept, merged }: Pair): string[] {
    return mergeObstacles({ kept: kept.facts, merged: merged.facts }, clock.now(), graceMs())
  }

  async function refusalsOf(handle: Db, { kept, merged }: Pair, by: string): Promise<string[]> {
    const found = new Set<string>()
    for (const { account } of [kept, merged]) {
      const code = await guard.refusal(handle, { act: 'mergeMembers', by, on: account.id })
      if (code !== null) found.add(errors[code].message)
    }
    return [...found]
  }

  function survivorOf({ kept, merged }: Pair) {
    return survivingMembership({ kept: kept.membership, merged: merged.membership }, clock.now(), graceMs())
  }

  async function readAddresses(handle: Db, { winner, loser }: { winner: string; loser: string }) {
    const at = await findAtAddress(handle, { winner, loser })
    const suppressed = await listSuppressed(handle, [addressHash(secrets, winner)])
    const letters = subscriptionAfter(
      { winner: at.winnerSubscription, loser: at.loserSubscription?.state ?? null },
      suppressed.size > 0,
    )
    return { at, letters }
  }

  return { readPair, obstaclesOf, refusalsOf, survivorOf, readAddresses }
}

/** Changes with whatever an officer decided upon. */
export function versionOf({ kept, merged }: Pair): string {
  const parts = [kept, merged].map(({ account, membership }) => [
    namesOf(account),
    account.deactivatedBy,
    membershipVersion(membership),
  ])
  return hashToken(JSON.stringify(parts))
}

export function namesOf({ email, username, firstName, lastName }: Account) {
  return { email, username, firstName, lastName }
}
