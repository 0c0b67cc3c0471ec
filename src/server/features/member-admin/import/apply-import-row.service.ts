import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import { newId } from '#server/platform/ids.ts'
import { createAccount, findAccount, lockAccount } from '../account/account.repository.ts'
import { changeProfile } from '../account/profile.repository.ts'
import type { Level } from './level.repository.ts'
import { recordImport } from './member-import.repository.ts'
import { partsOf, type CellChange } from './member-import.rules.ts'
import type { MemberCells, MemberRow } from './member-rows.rules.ts'
import { findCurrentMembership, insertCurrentMembership, moveTerm, retireMembership } from './membership.repository.ts'
import { noonOf } from './term-days.rules.ts'

/** Who imports what; `batch` is what `members undo` takes back. */
interface Batch {
  batch: string
  actor: string
  now: number
  /** How the history tells it, where it was no import. */
  told?: { action: 'member.added'; paidBy: string; reason?: string }
}

/** Makes an account with its membership from a row of a file. The account's id; null when the address belongs to somebody meanwhile. */
export async function takeOver(
  tx: Tx,
  { row, level, passwordHash }: { row: MemberRow; level: Level; passwordHash: string },
  { batch, actor, now, told }: Batch,
): Promise<string | null> {
  const createdAt = noonOf(row.startedOn)
  const account = await createAccount(tx, { ...row, id: newId(now), passwordHash, createdAt }, now)
  if (!account) return null
  await beginTerm(tx, { accountId: account.id, level, startedOn: row.startedOn, endsOn: row.endsOn ?? '' }, now)
  await recordImport(tx, { accountId: account.id, batch }, now)
  const { level: levelKey, startedOn, endsOn } = row
  const { action = 'member.imported', ...more } = told ?? {}
  const details = { batch, ...more, before: null, after: { level: levelKey, startedOn, endsOn } }
  await writeAudit(tx, { actor, action, subjectId: account.id, details }, now)
  return account.id
}

/** Brings somebody who is there to what a row says. False, and nothing happens, when the username belongs to somebody else meanwhile. */
export async function bringTo(
  tx: Tx,
  wanted: { accountId: string; cells: MemberCells; changes: readonly CellChange[]; level: Level | undefined },
  { batch, actor, now }: Batch,
): Promise<boolean> {
  const { accountId, cells, changes, level } = wanted
  const parts = partsOf(changes)
  if (parts.person) {
    const account = await findAccount(tx, accountId)
    const { firstName, lastName } = cells
    const profile = { firstName, lastName, username: cells.username || (account?.username ?? '') }
    if (!account || !(await changeProfile(tx, account, profile, now))) return false
  }
  if (parts.term && level) await setTermTo(tx, { accountId, level, cells, changes }, now)
  const before = Object.fromEntries(changes.map((change) => [change.column, change.before]))
  const after = Object.fromEntries(changes.map((change) => [change.column, change.after]))
  const details = { batch, before, after }
  await writeAudit(tx, { actor, action: 'member.changed_by_import', subjectId: accountId, details }, now)
  return true
}

/** The same membership with other days where that is what changed; else the next one, and the old one stays as history. */
async function setTermTo(
  tx: Tx,
  wanted: { accountId: string; level: Level; cells: MemberCells; changes: readonly CellChange[] },
  now: number,
): Promise<void> {
  const { accountId, level, changes } = wanted
  const { startedOn, endsOn } = wanted.cells
  await lockAccount(tx, accountId)
  const current = await findCurrentMembership(tx, accountId)
  const isSame = current?.levelKey === level.key && current.endedAt === null && current.stripeStatus === null
  if (!current || !isSame) {
    if (current) await retireMembership(tx, current.id, now)
    return beginTerm(tx, { accountId, level, startedOn, endsOn }, now)
  }
  const isChanged = (column: string) => changes.some((change) => change.column === column)
  await moveTerm(tx, current.id, {
    startedAt: isChanged('startedOn') ? noonOf(startedOn) : current.startedAt,
    endsAt: isChanged('endsOn') && endsOn !== '' ? noonOf(endsOn) : current.endsAt,
    now,
  })
}

async function beginTerm(
  tx: Tx,
  { accountId, level, startedOn, endsOn }: { accountId: string; level: Level; startedOn: string; endsOn: string },
  now: number,
): Promise<void> {
  await insertCurrentMembership(
    tx,
    {
      id: newId(now),
      accountId,
      levelKey: level.key,
      kind: level.isRecurring ? 'RECURRING' : 'ONE_TIME',
      startedAt: noonOf(startedOn),
      endsAt: endsOn === '' ? null : noonOf(endsOn),
      stripeSubscriptionId: null,
      stripeStatus: null,
      cancelAtPeriodEnd: false,
      pastDueSince: null,
      nextAttemptAt: null,
      gaveUpAt: null,
      endedAt: null,
    },
    now,
  )
}
