import type { Kysely } from 'kysely'
import type { ConsoleMember } from '#contract/console-member.ts'
import {
  MERGE_UNDO_DAYS,
  type Duplicate,
  type MergeChoices,
  type MergePlan,
  type MergeSide,
} from '#contract/console-merge.ts'
import { dayOf, formatLongDate } from '#contract/dates.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { Problem } from '#server/platform/problem.ts'
import { hashToken, type Secrets } from '#server/platform/secrets.ts'
import {
  findKeptAddress,
  findMerge,
  listMerges,
  markUndone,
  saveMerge,
  type AccountMerge,
} from '../account/account-merge.repository.ts'
import { findAccount, lockAccount, type Account } from '../account/account.repository.ts'
import { changeBack, changeRow, changeRows, findAltered, type RowChange } from '../account/row-change.repository.ts'
import { holdsRoleFrom } from '../console/officer.repository.ts'
import { addressHash } from '../newsletter/address-hash.ts'
import { listSuppressed } from '../newsletter/subscriber.repository.ts'
import { membershipVersion } from './by-hand.rules.ts'
import { listLevels } from './level.repository.ts'
import { EVERYBODY, findMemberRows, type MemberRow } from './member-list.repository.ts'
import { findCurrentMembership, type Membership } from './membership.repository.ts'
import {
  countOwned,
  findAtAddress,
  findByNpi,
  findLikelyDuplicates,
  hasOpenOrder,
  isBeingDeleted,
  isPlaceTaken,
  mergeable,
  moveMemberships,
  moveOwned,
  setNames,
  shutAccount,
  type AtAddress,
} from './merge.repository.ts'
import {
  mergeObstacles,
  moveWords,
  namesAfter,
  subscriptionAfter,
  survivingMembership,
  usernameGoesWithEmail,
  type Mergeable,
} from './merge.rules.ts'

export interface MergeService {
  /** Who may be the same person, or whom a search finds. @throws Problem NOT_FOUND */
  duplicates(accountId: string, words: string | undefined): Promise<Duplicate[]>
  /** @throws Problem NOT_FOUND */
  plan(keptId: string, mergedId: string, email: MergeChoices['email']): Promise<MergePlan>
  /** Everything in one transaction. @throws Problem NOT_FOUND, CHANGED_MEANWHILE, MERGE_REFUSED with what to do first */
  merge(
    by: Officer,
    pair: { keptId: string; mergedId: string },
    wanted: { choices: MergeChoices; reason: string; version: string },
  ): Promise<void>
  /** Every row as it was before, or nothing. @throws Problem NOT_FOUND, UNDO_REFUSED with why it would not be exact */
  undo(by: Officer, accountId: string, wanted: { mergeId: string; reason: string }): Promise<void>
  about(accountId: string): Promise<ConsoleMember['merges']>
}

const DAY_MS = 86_400_000
const MOST_FOUND = 20
const KEPT_MS = MERGE_UNDO_DAYS * DAY_MS

export function createMergeService({
  db,
  clock,
  secrets,
  timeZone,
  graceMs,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  timeZone: string
  graceMs(): number
}): MergeService {
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
        username: account.username,
        closed: isMerged ? 'merged' : account.deactivatedBy && closed[account.deactivatedBy],
        holdsRole: await holdsRoleFrom(handle, id, dayOf(clock.now(), timeZone)),
        hasOpenOrder: await hasOpenOrder(handle, id),
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

  function survivorOf({ kept, merged }: Pair) {
    return survivingMembership({ kept: kept.membership, merged: merged.membership }, clock.now(), graceMs())
  }

  /** What hangs on the address that is given up, and what becomes of its newsletter. */
  async function readAddresses(handle: Db, { winner, loser }: { winner: string; loser: string }) {
    const at = await findAtAddress(handle, { winner, loser })
    const suppressed = await listSuppressed(handle, [addressHash(secrets, winner)])
    const letters = subscriptionAfter(
      { winner: at.winnerSubscription, loser: at.loserSubscription?.state ?? null },
      suppressed.size > 0,
    )
    return { at, letters }
  }

  async function describeSide(handle: Db, { account, membership }: Side): Promise<MergeSide> {
    const [row] = await rowsOf(handle, [account.id])
    const levels = new Map((await listLevels(handle)).map(({ key, name }) => [key, name]))
    const level = membership && (levels.get(membership.levelKey) ?? membership.levelKey)
    const until = membership?.endsAt ? `until ${formatLongDate(iso(membership.endsAt))}` : 'for life'
    return {
      id: account.id,
      email: account.email,
      username: account.username,
      name: { first: account.firstName, last: account.lastName },
      state: row?.state ?? 'NONE',
      joinedAt: iso(account.createdAt),
      membership: level ? `${level} ${until}` : 'none',
    }
  }

  async function rowsOf(handle: Db, ids: readonly string[]): Promise<MemberRow[]> {
    const page = { now: clock.now(), graceMs: graceMs(), order: 'name', descending: false, limit: 1 } as const
    const found = await Promise.all(ids.map(async (id) => findMemberRows(handle, { ...EVERYBODY, id }, page)))
    return found.flat()
  }

  async function carryOut(tx: Tx, pair: Pair, choices: MergeChoices): Promise<RowChange[]> {
    const now = clock.now()
    const log: RowChange[] = []
    const [kept, merged] = [pair.kept.account, pair.merged.account]
    const survivor = survivorOf(pair)
    const retired = survivor === 'merged' ? pair.kept.membership : pair.merged.membership
    await moveMemberships(tx, log, { from: merged.id, to: kept.id, retired: survivor && retired, now })
    await moveOwned(tx, log, { from: merged.id, to: kept.id })
    const names = namesAfter({ kept, merged }, choices)
    await shutAccount(tx, log, merged.id, now)
    await setNames(tx, log, [
      { account: kept, names: names.kept },
      { account: merged, names: names.merged },
    ])
    const createdAt = Math.min(kept.createdAt, merged.createdAt)
    await changeRow(tx, log, { table: 'account', value: kept.id, set: { created_at: createdAt } })
    if (kept.stripeCustomerId === null && merged.stripeCustomerId !== null) {
      const customer = merged.stripeCustomerId
      await changeRow(tx, log, { table: 'account', value: merged.id, set: { stripe_customer_id: null } })
      await changeRow(tx, log, { table: 'account', value: kept.id, set: { stripe_customer_id: customer } })
    }
    await moveAddress(tx, log, { winner: names.kept.email, loser: names.merged.email })
    return log
  }

  async function moveAddress(tx: Tx, log: RowChange[], names: { winner: string; loser: string }): Promise<void> {
    const { at, letters } = await readAddresses(tx, names)
    const address = { email: names.winner, email_key: names.winner.toLowerCase() }
    for (const id of at.rsvps) await changeRow(tx, log, { table: 'rsvp', value: id, set: address })
    for (const id of at.sponsorships) {
      await changeRow(tx, log, { table: 'sponsorship', value: id, set: { email: names.winner } })
    }
    if (letters === 'stays' || !at.loserSubscription) return
    const set = letters === 'moves' ? address : { state: 'left', left_at: clock.now() }
    const where = { id: at.loserSubscription.id }
    await changeRows(tx, log, { table: 'subscriber', where, set, seen: ['state', 'email_key'] })
  }

  /** Why a merge cannot be undone exactly; null when it can. */
  async function undoFault(handle: Db, { changes }: AccountMerge): Promise<string | null> {
    const altered = await findAltered(handle, changes)
    if (altered !== null)
      return `It can no longer be undone exactly: ${CHANGED_SINCE[altered] ?? 'something that moved'} was changed since.`
    if (!(await isPlaceTaken(handle, changes))) return null
    return 'It can no longer be undone exactly: the other address was used anew since, for an event or the newsletter.'
  }

  return {
    async duplicates(accountId, words) {
      const account = await findAccount(db, accountId)
      if (!account) throw new Problem('NOT_FOUND')
      if (words === undefined) {
        const likely = await findLikelyDuplicates(db, account)
        const rows = await rowsOf(db, [...likely.keys()])
        return rows.map((row) => toDuplicate(row, likely.get(row.id) ?? []))
      }
      const page = {
        now: clock.now(),
        graceMs: graceMs(),
        order: 'name',
        descending: false,
        limit: MOST_FOUND,
      } as const
      const filter = { ...EVERYBODY, words: words.split(/\s+/).filter(Boolean) }
      const byNpi = /^\d{10}$/.test(words) ? await rowsOf(db, await findByNpi(db, words)) : []
      const found = [...byNpi, ...(await findMemberRows(db, filter, page))]
      return mergeable(found, accountId).map((row) => toDuplicate(row, []))
    },

    async plan(keptId, mergedId, email) {
      const pair = await readPair(db, keptId, mergedId)
      const { kept, merged } = pair
      const names = namesAfter(
        { kept: kept.account, merged: merged.account },
        { name: 'kept', username: 'kept', email },
      )
      const { at, letters } = await readAddresses(db, { winner: names.kept.email, loser: names.merged.email })
      const counts = {
        ...(await countOwned(db, mergedId)),
        rsvp: at.rsvps.length,
        sponsorship: at.sponsorships.length,
        subscriber: letters === 'moves' ? 1 : 0,
      }
      return {
        kept: await describeSide(db, kept),
        merged: await describeSide(db, merged),
        moves: moveWords(counts),
        notes: notesOf(pair, {
          survivor: survivorOf(pair),
          at,
          letters,
          winner: names.kept.email,
          loser: names.merged.email,
        }),
        obstacles: obstaclesOf(pair),
        usernameGoesWithEmail: usernameGoesWithEmail({ kept: kept.account, merged: merged.account }),
        version: versionOf(pair),
      }
    },

    async merge(by, { keptId, mergedId }, { choices, reason, version }) {
      await db.transaction().execute(async (tx) => {
        // In one order whoever asks, so that two never wait for each other.
        for (const id of [keptId, mergedId].toSorted()) await lockAccount(tx, id)
        const pair = await readPair(tx, keptId, mergedId)
        if (versionOf(pair) !== version) throw new Problem('CHANGED_MEANWHILE')
        const [obstacle] = obstaclesOf(pair)
        if (obstacle) throw new Problem('MERGE_REFUSED', { message: obstacle })
        const changes = await carryOut(tx, pair, choices)
        const now = clock.now()
        const id = newId(now)
        await saveMerge(tx, { id, keptId, mergedId, officerId: by.accountId, reason, changes }, now)
        const after = await findAccount(tx, keptId)
        const details = {
          merge: id,
          reason,
          before: { kept: namesOf(pair.kept.account), merged: namesOf(pair.merged.account) },
          after: after && namesOf(after),
          moved: movedBy(changes),
        }
        await writeAudit(tx, { actor: by.accountId, action: 'account.merged', subjectId: keptId, details }, now)
        const into = { merge: id, reason, before: namesOf(pair.merged.account), after: { mergedInto: keptId } }
        await writeAudit(
          tx,
          { actor: by.accountId, action: 'account.merged_into', subjectId: mergedId, details: into },
          now,
        )
      })
    },

    async undo(by, accountId, { mergeId, reason }) {
      await db.transaction().execute(async (tx) => {
        const seen = await findMerge(tx, mergeId)
        if (!seen || ![seen.keptId, seen.mergedId].includes(accountId)) throw new Problem('NOT_FOUND')
        for (const id of [seen.keptId, seen.mergedId].toSorted()) await lockAccount(tx, id)
        const merge = (await findMerge(tx, mergeId)) ?? seen
        if (merge.undoneAt !== null) throw new Problem('UNDO_REFUSED', { message: 'It was undone already.' })
        if (merge.mergedAt + KEPT_MS <= clock.now() || merge.changes.length === 0)
          throw new Problem('UNDO_REFUSED', { message: TOO_LATE })
        const fault = await undoFault(tx, merge)
        if (fault !== null) throw new Problem('UNDO_REFUSED', { message: fault })
        await changeBack(tx, merge.changes)
        const now = clock.now()
        await markUndone(tx, mergeId, { by: by.accountId, now })
        const details = {
          merge: mergeId,
          reason,
          before: { merged: true },
          after: { merged: false },
          moved: movedBy(merge.changes),
        }
        for (const subjectId of [merge.keptId, merge.mergedId]) {
          await writeAudit(tx, { actor: by.accountId, action: 'account.merge_undone', subjectId, details }, now)
        }
      })
    },

    async about(accountId) {
      const merges = await listMerges(db, accountId)
      return Promise.all(
        merges.map(async (merge) => {
          const isKept = merge.keptId === accountId
          const other = await findAccount(db, isKept ? merge.mergedId : merge.keptId)
          const officer = await findAccount(db, merge.officerId)
          const until = merge.mergedAt + KEPT_MS
          const isInTime = merge.undoneAt === null && merge.changes.length > 0 && until > clock.now()
          return {
            id: merge.id,
            isKept,
            other: other
              ? { id: other.id, name: `${other.firstName} ${other.lastName}`, email: other.email }
              : { id: '', name: 'An account that is gone', email: '' },
            at: iso(merge.mergedAt),
            by: officer ? `${officer.firstName} ${officer.lastName}` : 'An officer',
            undoUntil: isInTime ? iso(until) : null,
            undoRefused: isInTime ? await undoFault(db, merge) : null,
            undoneAt: merge.undoneAt === null ? null : iso(merge.undoneAt),
            moved: movedBy(merge.changes),
          }
        }),
      )
    },
  }
}

const TOO_LATE = `A merge can be undone for ${MERGE_UNDO_DAYS} days, and these are over.`

const CHANGED_SINCE: Partial<Record<keyof Schema, string>> = {
  account: 'the name, the address or the state of one of the two accounts',
  login_name: 'a username or an address',
  membership: 'the membership',
  payment: 'a payment',
  rsvp: 'an RSVP',
  sponsorship: 'a sponsorship',
  subscriber: 'the newsletter subscription',
}

interface Side {
  account: Account
  membership: Membership | null
  facts: Mergeable
}

interface Pair {
  kept: Side
  merged: Side
}

function notesOf(
  { kept, merged }: Pair,
  known: {
    survivor: 'kept' | 'merged' | null
    at: AtAddress
    letters: 'moves' | 'ends' | 'stays'
    winner: string
    loser: string
  },
): string[] {
  const { survivor, at, letters, winner, loser } = known
  const notes = [
    `Nobody logs in with the account of ${loser} any more; it is signed out everywhere. Log-in is by ${winner} and the password of the account that stays.`,
  ]
  if (kept.membership && merged.membership) {
    const whose = survivor === 'merged' ? 'the other account' : 'this account'
    notes.push(
      `The membership of ${whose} is the one that holds; the other one ends today and stays as history. Their terms are not added up.`,
    )
  }
  if (at.answeredTwice.length > 0) {
    notes.push(
      `Both addresses have answered the same event (${at.answeredTwice.length}). Each answer holds its seats: cancel one under RSVPs.`,
    )
  }
  if (letters === 'ends') notes.push(`Both addresses get the newsletter. From now on only ${winner} does.`)
  if (letters === 'stays' && at.loserSubscription?.state === 'subscribed') {
    notes.push(`The newsletter goes on to ${loser}: ${winner} has asked not to get it, or letters to it came back.`)
  }
  notes.push('Messages that were written to us, and the history, stay where they are.')
  return notes
}

/** What moved, and not what else was changed for it, in words. */
function movedBy(changes: readonly RowChange[]): string[] {
  const counts: Record<string, number> = {}
  const moved = changes.filter(({ table, after }) => table !== 'membership' || 'account_id' in after)
  for (const { table } of moved) counts[table] = (counts[table] ?? 0) + 1
  return moveWords(counts)
}

/** Changes with whatever an officer decided upon. */
function versionOf({ kept, merged }: Pair): string {
  const parts = [kept, merged].map(({ account, membership }) => [
    namesOf(account),
    account.deactivatedBy,
    membershipVersion(membership),
  ])
  return hashToken(JSON.stringify(parts))
}

function namesOf({ email, username, firstName, lastName }: Account) {
  return { email, username, firstName, lastName }
}

function toDuplicate(row: MemberRow, reasons: string[]): Duplicate {
  const { id, firstName, lastName, email, state, joinedAt } = row
  return { id, name: `${firstName} ${lastName}`, email, state, joinedAt: iso(joinedAt), reasons }
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
