import { refreshDirectoryWords } from '#server/features/member-record/directory-words.commands.ts'
import type { AppContext } from '#server/app-context.ts'
import { randomBytes } from 'node:crypto'
import type { ConsoleMember } from '#contract/console/member.ts'
import { MERGE_UNDO_DAYS, type MergeChoices } from '#contract/console/merge.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { findMerge, listMerges, type AccountMerge } from '#server/features/accounts/account-merge.queries.ts'
import { markMergeUndone, saveMerge } from '#server/features/accounts/account-merge.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { revokeAccess } from '#server/features/my-account/end-access.commands.ts'
import { revertChanges, changeRow, changeRows } from '#server/features/accounts/row-change.commands.ts'
import { findModifiedTable, type RowChange, type TableName } from '#server/features/accounts/row-change.queries.ts'
import { resetCredentials } from '#server/features/officers/sign-in.commands.ts'
import { credentialsFingerprint } from '#server/features/officers/sign-in.queries.ts'
import { hashPassword } from '#server/features/auth/password-hash.service.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { pickNames, pairVersion, type MergePair, type MergePairReader } from './merge-pair.queries.ts'
import {
  hasRestoreConflict,
  moveMemberships,
  moveOwnedRows,
  moveRecordValues,
  moveRolls,
  moveTopicChoices,
  withoutNewerValues,
} from './merge.repository.ts'
import { describeMovedRows } from './merge.rules.ts'
import { sendAccountsMerged, sendAccountsSeparated } from './merge.emails.ts'

const DAY_MS = 86_400_000
const KEPT_MS = MERGE_UNDO_DAYS * DAY_MS

export function createMergeService(
  { db, clock, wakeOutbox }: AppContext,
  {
    pairs,
    guard,
    heldWork,
  }: {
    pairs: MergePairReader
    guard: ActAuthorizer
    heldWork: HeldWork
  },
) {
  async function carryOut(tx: Tx, pair: MergePair, choices: MergeChoices): Promise<RowChange[]> {
    const now = clock.now()
    const log: RowChange[] = []
    const [kept, merged] = [pair.kept.account, pair.merged.account]
    const survivor = pairs.findSurvivor(pair)
    const retired = survivor === 'merged' ? pair.kept.membership : pair.merged.membership
    await moveMemberships(tx, log, { from: merged.id, to: kept.id, retired: survivor && retired, now })
    await moveOwnedRows(tx, log, { from: merged.id, to: kept.id })
    await moveRecordValues(tx, log, { from: merged.id, to: kept.id })
    await moveTopicChoices(tx, log, { from: merged.id, to: kept.id })
    await moveRolls(tx, log, { from: merged.id, to: kept.id })
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
    const { at, newsletter } = await pairs.readAddresses(tx, names)
    const address = { email: names.winner, email_key: names.winner.toLowerCase() }
    for (const id of at.rsvps) {
      await changeRow(tx, log, { table: 'rsvp', value: id, set: address })
      // Seat payments are also found by address.
      await changeRows(tx, log, { table: 'rsvp_order', where: { rsvp_id: id }, set: address })
    }
    for (const id of at.sponsorships) {
      await changeRow(tx, log, { table: 'sponsorship', value: id, set: { email: names.winner } })
    }
    if (newsletter === 'stays' || !at.loserSubscription) return
    const set = newsletter === 'moves' ? address : { state: 'left', left_at: clock.now() }
    const where = { id: at.loserSubscription.id }
    await changeRows(tx, log, { table: 'subscriber', where, set, seen: ['state', 'email_key'] })
  }

  /** Signs both accounts out everywhere. Not logged, so undoing a merge restores no session or link. */
  async function endAccessOfBoth(tx: Tx, { keptId, mergedId }: { keptId: string; mergedId: string }): Promise<void> {
    for (const id of [keptId, mergedId]) await revokeAccess(tx, id, clock.now())
  }

  /** Why a merge cannot be undone exactly; null when it can. */
  async function undoFault(handle: Db, merge: AccountMerge): Promise<string | null> {
    const changes = await withoutNewerValues(handle, undoable(merge.changes))
    const altered = await findModifiedTable(handle, changes)
    if (altered !== null)
      return `It can no longer be undone exactly: ${CHANGED_SINCE[altered] ?? 'a moved record'} has changed since.`
    if (!(await hasRestoreConflict(handle, changes))) return null
    return 'It can no longer be undone exactly: the other address has been used since, for an event or the newsletter.'
  }

  return {
    /**
     * Merges in one transaction; both accounts are signed out everywhere and both addresses are emailed. The address, username and password of the
     * remaining account do not change. @throws Problem NOT_FOUND, OWN_ACCOUNT, OFFICER_ACCOUNT, CHANGED_MEANWHILE, MERGE_REFUSED with what to do first
     */
    async merge(
      by: Officer,
      { keptId, mergedId }: { keptId: string; mergedId: string },
      { choices, reason, version }: { choices: MergeChoices; reason: string; version: string },
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        // Lock in a fixed order to avoid deadlocks.
        for (const id of [keptId, mergedId].toSorted()) await lockAccount(tx, id)
        const pair = await pairs.readPair(tx, keptId, mergedId)
        for (const on of [keptId, mergedId]) await guard.require(tx, { act: 'mergeMembers', by: by.accountId, on })
        if (pairVersion(pair) !== version) throw new Problem('CHANGED_MEANWHILE')
        const [obstacle] = pairs.findObstacles(pair)
        if (obstacle) throw new Problem('MERGE_REFUSED', { message: obstacle })
        const changes = await carryOut(tx, pair, choices)
        await endAccessOfBoth(tx, { keptId, mergedId })
        // Each account keeps its own choice; the words follow the values that moved.
        for (const on of [keptId, mergedId]) await refreshDirectoryWords(tx, on)
        const now = clock.now()
        const id = newId(now)
        const keptLogin = await credentialsFingerprint(tx, keptId)
        await saveMerge(tx, { id, keptId, mergedId, officerId: by.accountId, reason, changes, keptLogin }, now)
        const addresses = { keptAddress: pair.kept.account.email, mergedAddress: pair.merged.account.email }
        for (const { account } of [pair.kept, pair.merged]) {
          const payload = { accountId: account.id, to: account.email, ...addresses }
          await addToOutbox(tx, { effect: sendAccountsMerged, payload }, now)
        }
        const after = await findAccount(tx, keptId)
        const details = {
          merge: id,
          reason,
          before: pickNames(pair.kept.account),
          after: after && pickNames(after),
          mergedAccount: pickNames(pair.merged.account),
          moved: movedBy(changes),
        }
        await writeAudit(tx, { actor: by.accountId, action: 'account.merged', subjectId: keptId, details }, now)
        const into = { merge: id, reason, mergedAccount: pickNames(pair.merged.account), mergedInto: keptId }
        await writeAudit(
          tx,
          { actor: by.accountId, action: 'account.merged_into', subjectId: mergedId, details: into },
          now,
        )
      })
      await heldWork.holdScheduled(mergedId, by.accountId)
      wakeOutbox()
    },

    /**
     * Restores every row or none. Access is not restored: sessions and links of both stay revoked, and a password or second factor that
     * changed since is reset. @throws Problem NOT_FOUND, OWN_ACCOUNT, OFFICER_ACCOUNT, UNDO_REFUSED with the reason
     */
    async undo(
      by: Officer,
      accountId: string,
      { mergeId, reason }: { mergeId: string; reason: string },
    ): Promise<void> {
      // A random password in case one is needed; hashed before the transaction, since it is slow.
      const unknownPassword = await hashPassword(randomBytes(32).toString('base64url'))
      await db.transaction().execute(async (tx) => {
        const seen = await findMerge(tx, mergeId)
        if (!seen || ![seen.keptId, seen.mergedId].includes(accountId)) throw new Problem('NOT_FOUND')
        for (const id of [seen.keptId, seen.mergedId].toSorted()) await lockAccount(tx, id)
        const merge = (await findMerge(tx, mergeId)) ?? seen
        const { keptId, mergedId } = merge
        for (const on of [keptId, mergedId]) await guard.require(tx, { act: 'undoMerge', by: by.accountId, on })
        if (merge.undoneAt !== null) throw new Problem('UNDO_REFUSED', { message: 'It was already undone.' })
        if (merge.mergedAt + KEPT_MS <= clock.now() || merge.changes.length === 0)
          throw new Problem('UNDO_REFUSED', { message: TOO_LATE })
        const fault = await undoFault(tx, merge)
        if (fault !== null) throw new Problem('UNDO_REFUSED', { message: fault })
        await revertChanges(tx, await withoutNewerValues(tx, undoable(merge.changes)))
        const now = clock.now()
        // A changed password or second factor may be an intruder's, so it does not outlive the merge.
        const isReset = merge.keptLogin !== (await credentialsFingerprint(tx, keptId))
        if (isReset) await resetCredentials(tx, keptId, unknownPassword, now)
        await endAccessOfBoth(tx, merge)
        for (const on of [keptId, mergedId]) await refreshDirectoryWords(tx, on)
        for (const id of [keptId, mergedId]) {
          const to = (await findAccount(tx, id))?.email
          if (to === undefined) continue
          const payload = { accountId: id, to, needsPassword: isReset && id === keptId }
          await addToOutbox(tx, { effect: sendAccountsSeparated, payload }, now)
        }
        await markMergeUndone(tx, mergeId, { by: by.accountId, now })
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

    async describeMerges(accountId: string): Promise<ConsoleMember['merges']> {
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
              : { id: '', name: 'A deleted account', email: '' },
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

export type MergeService = ReturnType<typeof createMergeService>

/** Drops changes that would restore access: releases up to 1.x also logged sessions, links and token versions. */
function undoable(changes: readonly RowChange[]): RowChange[] {
  return changes
    .filter(({ table }) => table !== 'session' && table !== 'one_time_token')
    .map((change) => ({ ...change, before: withoutVersion(change.before), after: withoutVersion(change.after) }))
    .filter(({ before }) => Object.keys(before).length > 0)
}

function withoutVersion(cells: RowChange['before']): RowChange['before'] {
  return Object.fromEntries(Object.entries(cells).filter(([column]) => column !== 'token_version'))
}

const TOO_LATE = `A merge can be undone for ${MERGE_UNDO_DAYS} days. That period has passed.`

const CHANGED_SINCE: Partial<Record<TableName, string>> = {
  account: 'the name, the address or the state of one of the two accounts',
  login_name: 'a username or an address',
  membership: 'the membership',
  payment: 'a payment',
  rsvp: 'an RSVP',
  sponsorship: 'a sponsorship',
  subscriber: 'the newsletter subscription',
}

/** The moved records as text, without other changes of the merge. */
function movedBy(changes: readonly RowChange[]): string[] {
  const counts: Record<string, number> = {}
  const moved = changes.filter(({ table, after }) => table !== 'membership' || 'account_id' in after)
  for (const { table } of moved) counts[table] = (counts[table] ?? 0) + 1
  return describeMovedRows(counts)
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
