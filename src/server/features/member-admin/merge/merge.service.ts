import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { ConsoleMember } from '#contract/console-member.ts'
import { MERGE_UNDO_DAYS, type MergeChoices } from '#contract/console-merge.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import { findMerge, listMerges, markUndone, saveMerge, type AccountMerge } from '../account/account-merge.repository.ts'
import { findAccount, lockAccount } from '../account/account.repository.ts'
import { endAccess } from '../account/end-access.ts'
import { changeBack, changeRow, changeRows, findAltered, type RowChange } from '../account/row-change.repository.ts'
import { resetSignIn, signInFingerprint } from '../account/sign-in.repository.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { ActGuard } from '../console/act-guard.ts'
import type { HeldWork } from '../console/held-work.ts'
import { namesOf, versionOf, type Pair, type PairReader } from './merge-pair.ts'
import { isPlaceTaken, moveMemberships, moveOwned } from './merge.repository.ts'
import { moveWords } from './merge.rules.ts'

export interface MergeService {
  /**
   * Everything in one transaction; both are signed out everywhere and both addresses get an email. The address, username and password of the account
   * that stays do not change. @throws Problem NOT_FOUND, OWN_ACCOUNT, OFFICER_ACCOUNT, CHANGED_MEANWHILE, MERGE_REFUSED with what to do first
   */
  merge(
    by: Officer,
    pair: { keptId: string; mergedId: string },
    wanted: { choices: MergeChoices; reason: string; version: string },
  ): Promise<void>
  /**
   * Every row as it was before, or nothing, except what lets somebody in: sessions and links of both stay ended, and a password or second factor that
   * changed since is forgotten. @throws Problem NOT_FOUND, OWN_ACCOUNT, OFFICER_ACCOUNT, UNDO_REFUSED with why it would not be exact
   */
  undo(by: Officer, accountId: string, wanted: { mergeId: string; reason: string }): Promise<void>
  about(accountId: string): Promise<ConsoleMember['merges']>
}

const DAY_MS = 86_400_000
const KEPT_MS = MERGE_UNDO_DAYS * DAY_MS

export function createMergeService({
  db,
  clock,
  pairs,
  guard,
  heldWork,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  pairs: PairReader
  guard: ActGuard
  heldWork: HeldWork
  wakeOutbox(): void
}): MergeService {
  async function carryOut(tx: Tx, pair: Pair, choices: MergeChoices): Promise<RowChange[]> {
    const now = clock.now()
    const log: RowChange[] = []
    const [kept, merged] = [pair.kept.account, pair.merged.account]
    const survivor = pairs.survivorOf(pair)
    const retired = survivor === 'merged' ? pair.kept.membership : pair.merged.membership
    await moveMemberships(tx, log, { from: merged.id, to: kept.id, retired: survivor && retired, now })
    await moveOwned(tx, log, { from: merged.id, to: kept.id })
    const { firstName, lastName } = choices.name === 'kept' ? kept : merged
    await changeRow(tx, log, { table: 'account', value: merged.id, set: { deactivated_by: 'officer' } })
    await changeRow(tx, log, {
      table: 'account',
      value: kept.id,
      set: { first_name: firstName, last_name: lastName },
    })
    const createdAt = Math.min(kept.createdAt, merged.createdAt)
    await changeRow(tx, log, { table: 'account', value: kept.id, set: { created_at: createdAt } })
    if (kept.stripeCustomerId === null && merged.stripeCustomerId !== null) {
      const customer = merged.stripeCustomerId
      await changeRow(tx, log, { table: 'account', value: merged.id, set: { stripe_customer_id: null } })
      await changeRow(tx, log, { table: 'account', value: kept.id, set: { stripe_customer_id: customer } })
    }
    await moveAddress(tx, log, { winner: kept.email, loser: merged.email })
    return log
  }

  async function moveAddress(tx: Tx, log: RowChange[], names: { winner: string; loser: string }): Promise<void> {
    const { at, letters } = await pairs.readAddresses(tx, names)
    const address = { email: names.winner, email_key: names.winner.toLowerCase() }
    for (const id of at.rsvps) {
      await changeRow(tx, log, { table: 'rsvp', value: id, set: address })
      // What was paid for the seats is found by the address too.
      await changeRows(tx, log, { table: 'rsvp_order', where: { rsvp_id: id }, set: address })
    }
    for (const id of at.sponsorships) {
      await changeRow(tx, log, { table: 'sponsorship', value: id, set: { email: names.winner } })
    }
    if (letters === 'stays' || !at.loserSubscription) return
    const set = letters === 'moves' ? address : { state: 'left', left_at: clock.now() }
    const where = { id: at.loserSubscription.id }
    await changeRows(tx, log, { table: 'subscriber', where, set, seen: ['state', 'email_key'] })
  }

  /** Signs both sides out everywhere. Not part of the log: undoing a merge revives no session and no link. */
  async function endAccessOfBoth(tx: Tx, { keptId, mergedId }: { keptId: string; mergedId: string }): Promise<void> {
    for (const id of [keptId, mergedId]) await endAccess(tx, id, clock.now())
  }

  /** Why a merge cannot be undone exactly; null when it can. */
  async function undoFault(handle: Db, merge: AccountMerge): Promise<string | null> {
    const changes = undoable(merge.changes)
    const altered = await findAltered(handle, changes)
    if (altered !== null)
      return `It can no longer be undone exactly: ${CHANGED_SINCE[altered] ?? 'something that moved'} was changed since.`
    if (!(await isPlaceTaken(handle, changes))) return null
    return 'It can no longer be undone exactly: the other address was used anew since, for an event or the newsletter.'
  }

  return {
    async merge(by, { keptId, mergedId }, { choices, reason, version }) {
      await db.transaction().execute(async (tx) => {
        // In one order whoever asks, so that two never wait for each other.
        for (const id of [keptId, mergedId].toSorted()) await lockAccount(tx, id)
        const pair = await pairs.readPair(tx, keptId, mergedId)
        for (const on of [keptId, mergedId]) await guard.require(tx, { act: 'mergeMembers', by: by.accountId, on })
        if (versionOf(pair) !== version) throw new Problem('CHANGED_MEANWHILE')
        const [obstacle] = pairs.obstaclesOf(pair)
        if (obstacle) throw new Problem('MERGE_REFUSED', { message: obstacle })
        const changes = await carryOut(tx, pair, choices)
        await endAccessOfBoth(tx, { keptId, mergedId })
        const now = clock.now()
        const id = newId(now)
        const keptSignIn = await signInFingerprint(tx, keptId)
        await saveMerge(tx, { id, keptId, mergedId, officerId: by.accountId, reason, changes, keptSignIn }, now)
        const addresses = { keptAddress: pair.kept.account.email, mergedAddress: pair.merged.account.email }
        for (const { account } of [pair.kept, pair.merged]) {
          const payload = { accountId: account.id, to: account.email, ...addresses }
          await addToOutbox(tx, { kind: 'letter.accounts_merged', payload }, now)
        }
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
      await heldWork.hold(mergedId, by.accountId)
      wakeOutbox()
    },

    async undo(by, accountId, { mergeId, reason }) {
      // Before the transaction, since it takes a while: of a password nobody knows, in case one is needed.
      const unknownPassword = await hashPassword(randomBytes(32).toString('base64url'))
      await db.transaction().execute(async (tx) => {
        const seen = await findMerge(tx, mergeId)
        if (!seen || ![seen.keptId, seen.mergedId].includes(accountId)) throw new Problem('NOT_FOUND')
        for (const id of [seen.keptId, seen.mergedId].toSorted()) await lockAccount(tx, id)
        const merge = (await findMerge(tx, mergeId)) ?? seen
        const { keptId, mergedId } = merge
        for (const on of [keptId, mergedId]) await guard.require(tx, { act: 'undoMerge', by: by.accountId, on })
        if (merge.undoneAt !== null) throw new Problem('UNDO_REFUSED', { message: 'It was undone already.' })
        if (merge.mergedAt + KEPT_MS <= clock.now() || merge.changes.length === 0)
          throw new Problem('UNDO_REFUSED', { message: TOO_LATE })
        const fault = await undoFault(tx, merge)
        if (fault !== null) throw new Problem('UNDO_REFUSED', { message: fault })
        await changeBack(tx, undoable(merge.changes))
        const now = clock.now()
        // Somebody else may have got in meanwhile: a changed password or second factor does not outlive the merge.
        const isReset = merge.keptSignIn !== (await signInFingerprint(tx, keptId))
        if (isReset) await resetSignIn(tx, keptId, unknownPassword, now)
        await endAccessOfBoth(tx, merge)
        for (const id of [keptId, mergedId]) {
          const to = (await findAccount(tx, id))?.email
          const payload = { accountId: id, to, needsPassword: isReset && id === keptId }
          await addToOutbox(tx, { kind: 'letter.accounts_separated', payload }, now)
        }
        await markUndone(tx, mergeId, { by: by.accountId, now })
        const details = {
          merge: mergeId,
          reason,
          before: { merged: true },
          after: { merged: false },
          moved: movedBy(merge.changes),
          signInReset: isReset,
        }
        for (const subjectId of [merge.keptId, merge.mergedId]) {
          await writeAudit(tx, { actor: by.accountId, action: 'account.merge_undone', subjectId, details }, now)
        }
      })
      wakeOutbox()
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

/** Without what would let somebody in again: releases up to 1.x wrote sessions, links and token versions into the log too. */
function undoable(changes: readonly RowChange[]): RowChange[] {
  return changes
    .filter(({ table }) => table !== 'session' && table !== 'one_time_token')
    .map((change) => ({ ...change, before: withoutVersion(change.before), after: withoutVersion(change.after) }))
    .filter(({ before }) => Object.keys(before).length > 0)
}

function withoutVersion(cells: RowChange['before']): RowChange['before'] {
  return Object.fromEntries(Object.entries(cells).filter(([column]) => column !== 'token_version'))
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

/** What moved, and not what else was changed for it, in words. */
function movedBy(changes: readonly RowChange[]): string[] {
  const counts: Record<string, number> = {}
  const moved = changes.filter(({ table, after }) => table !== 'membership' || 'account_id' in after)
  for (const { table } of moved) counts[table] = (counts[table] ?? 0) + 1
  return moveWords(counts)
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
