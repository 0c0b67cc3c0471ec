import { refreshDirectoryWords } from '#server/features/member-record/directory-words.commands.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { createAccount, lockAccount } from '#server/features/accounts/account.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { changeProfile } from '#server/features/accounts/profile.commands.ts'
import type { Level } from '#server/features/levels/level.queries.ts'
import { isMemberColumn } from '#contract/console/import.ts'
import { FIRST_AUDIENCE } from '#server/features/member-record/audience.rules.ts'
import { saveEntry } from '#server/features/member-record/record-value.commands.ts'
import { listEntries } from '#server/features/member-record/record-value.queries.ts'
import type { RecordValues } from './record-cells.rules.ts'
import { recordImport } from './member-import.repository.ts'
import { affectedParts, type CellChange } from './member-import.rules.ts'
import type { MemberCells, ImportedMemberRow } from './member-rows.rules.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import {
  insertCurrentMembership,
  setTermDates,
  retireMembership,
} from '#server/features/memberships/membership.commands.ts'
import { noonUtc } from '#server/features/memberships/term-days.rules.ts'
import { BY_HAND } from '#server/features/memberships/membership.rules.ts'

/** The actor and batch of an import; `members undo` reverts a `batch`. */
interface Batch {
  batch: string
  actor: string
  now: number
  /** The audit entry of an account that was not imported. */
  audit?: { action: 'member.added'; paidBy: string; reason?: string }
}

/** Creates an account with its membership from a row of a file. Returns the account's id, or null when the address has been taken in the meantime. */
export async function createImportedMember(
  tx: Tx,
  {
    row,
    level,
    passwordHash,
    record = {},
  }: { row: ImportedMemberRow; level: Level; passwordHash: string; record?: RecordValues },
  { batch, actor, now, audit }: Batch,
): Promise<string | null> {
  const createdAt = noonUtc(row.startedOn)
  const account = await createAccount(tx, { ...row, id: newId(now), passwordHash, createdAt }, now)
  if (!account) return null
  await beginTerm(tx, { accountId: account.id, level, startedOn: row.startedOn, endsOn: row.endsOn ?? '' }, now)
  await saveRecord(tx, { accountId: account.id, record }, now)
  await recordImport(tx, { accountId: account.id, batch }, now)
  const { level: levelKey, startedOn, endsOn } = row
  const { action = 'member.imported', ...more } = audit ?? {}
  const details = { batch, ...more, before: null, after: { level: levelKey, startedOn, endsOn } }
  await writeAudit(tx, { actor, action, subjectId: account.id, details }, now)
  return account.id
}

/** Applies a row's changes to an existing account. No-op returning false when the username has been taken in the meantime. */
export async function applyChanges(
  tx: Tx,
  wanted: {
    accountId: string
    cells: MemberCells
    /** The changed values of the member record. */
    record: RecordValues
    changes: readonly CellChange[]
    level: Level | undefined
    /** The labels of the fields of these. */
    fields: readonly string[]
  },
  { batch, actor, now }: Batch,
): Promise<boolean> {
  const { accountId, cells, record, changes, level, fields } = wanted
  const parts = affectedParts(changes)
  if (parts.person) {
    const account = await findAccount(tx, accountId)
    const { firstName, lastName } = cells
    const profile = { firstName, lastName, username: cells.username || (account?.username ?? '') }
    if (!account || !(await changeProfile(tx, account, profile, now))) return false
  }
  if (parts.term && level) await setTermTo(tx, { accountId, level, cells, changes }, now)
  await saveRecord(tx, { accountId, record }, now)
  await refreshDirectoryWords(tx, accountId)
  // Of the member record only the fields, not the values.
  const ofAccount = changes.filter(({ column }) => isMemberColumn(column))
  const before = Object.fromEntries(ofAccount.map((change) => [change.column, change.before]))
  const after = Object.fromEntries(ofAccount.map((change) => [change.column, change.after]))
  const details = { batch, before, after, ...(fields.length > 0 && { fields }) }
  await writeAudit(tx, { actor, action: 'member.changed_by_import', subjectId: accountId, details }, now)
  return true
}

/** Stores imported values. An existing one keeps its audience; a new one is shown to no one until its owner chooses. */
async function saveRecord(
  tx: Tx,
  { accountId, record }: { accountId: string; record: RecordValues },
  now: number,
): Promise<void> {
  const entries = await listEntries(tx, accountId)
  for (const [fieldKey, value] of Object.entries(record)) {
    const audience = entries.find((entry) => entry.fieldKey === fieldKey)?.audience ?? FIRST_AUDIENCE.import
    const entry = { accountId, fieldKey, value, audience, confirmedOn: null }
    await saveEntry(tx, { ...entry, changedAt: now, changedBy: 'import' })
  }
}

/** Updates the dates of the current membership, or starts a new one when the level changed; the old one stays as history. */
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
  await setTermDates(tx, current.id, {
    startedAt: isChanged('startedOn') ? noonUtc(startedOn) : current.startedAt,
    endsAt: isChanged('endsOn') && endsOn !== '' ? noonUtc(endsOn) : current.endsAt,
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
      startedAt: noonUtc(startedOn),
      endsAt: endsOn === '' ? null : noonUtc(endsOn),
      stripeSubscriptionId: null,
      ...BY_HAND,
    },
    now,
  )
}
