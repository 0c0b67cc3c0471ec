import type { AppContext } from '#server/app-context.ts'
import { randomBytes } from 'node:crypto'
import { MEMBER_COLUMNS } from '#contract/console/import.ts'
import { recordColumns, type RecordColumnId } from '#contract/console/people/record-columns.ts'
import { errors } from '#contract/errors.ts'
import { fieldsInUse } from '#contract/member-record/record-fields.ts'
import type { Tx } from '#server/db/database.ts'
import type { CsvRow } from '#server/lib/csv/csv.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { hashPassword } from '#server/features/auth/password-hash.service.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import type { ActRefusal } from '#server/features/officers/officer-acts.rules.ts'
import {
  finishImport,
  lockRunningImport,
  excludeNextRow,
  listPendingRows,
  markRowDone,
  markRowInvalid,
  type ImportFile,
  type ImportRow,
} from './import-file.repository.ts'
import type { ImportInvitations } from './import-invitation.service.ts'
import { findExistingAccounts } from './existing-accounts.repository.ts'
import { levelsByKey, type Level } from '#server/features/levels/level.queries.ts'
import { validateRow } from './member-import.rules.ts'
import { columnsOf } from './import-columns.rules.ts'
import { parseMemberRows, type RowError } from './member-rows.rules.ts'
import { applyChanges, createImportedMember } from './apply-import-row.service.ts'
import { importMembers } from './member-import.effects.ts'

/** Rows per transaction: few, so logins do not wait for it. */
const ROWS_AT_ONCE = 25
/** After this many failed attempts, a row is skipped so it does not block the others. */
const TRIES_A_ROW = 3

/** Runs a confirmed import in the background, in batches that survive a crash. */
export function createMemberImportRun(
  { db, clock, timeZone, graceMs, cache, wakeOutbox }: AppContext,
  {
    invitations,
    guard,
  }: {
    invitations: ImportInvitations
    guard: ActAuthorizer
  },
): { effects: HandlersOf<typeof importMembers> } {
  /** Validates the row again: accounts may have been created or changed since the file was checked. */
  async function importRow(
    tx: Tx,
    file: ImportFile,
    row: ImportRow,
    { levels, passwordHash }: { levels: ReadonlyMap<string, Level>; passwordHash: string },
  ): Promise<void> {
    const now = clock.now()
    const cells = row.cells
    if (!cells) return markRowDone(tx, file.id, row.line, now)
    const refuse = (faults: readonly RowError[]) => markRowInvalid(tx, { fileId: file.id, line: row.line }, faults)
    const fields = recordColumns(fieldsInUse(cache.content().recordFields))
    const { record: ofRecord = {} } = cells
    const ofFile = columnsOf(file, fields)
    const ofMember = MEMBER_COLUMNS.filter((column) => column !== 'startedOn' || ofFile.includes(column))
    const columns = [...ofMember, ...(Object.keys(ofRecord) as RecordColumnId[])]
    const texts = [...ofMember.map((column) => cells[column]), ...Object.values(ofRecord).map((text) => text ?? '')]
    const lines = [HEADING, { line: row.line, cells: texts }]
    const [reading] = parseMemberRows(lines, levels, columns, fields, file.startsOn)
    if (!reading) return refuse([CHANGED_SINCE_CHECK])
    const names = { emails: [cells.email], usernames: [cells.username] }
    const known = await findExistingAccounts(tx, names, { timeZone, graceMs: graceMs() })
    const verdict = validateRow(reading, known, fields)
    const by = { batch: file.id, actor: file.confirmedBy ?? file.officerId, now }
    if (verdict.kind === 'unchanged') return markRowDone(tx, file.id, row.line, now)
    if (verdict.kind === 'wrong') return refuse(verdict.faults)
    if (verdict.kind === 'left-out' || verdict.kind !== row.verdict) return refuse([CHANGED_SINCE_CHECK])
    const on = verdict.kind === 'changed' ? verdict.accountId : NO_ACCOUNT
    await lockAccount(tx, on)
    // Check new accounts too: the officer's role may have ended since the import was confirmed.
    const refusal = await guard.refusal(tx, { act: 'confirmImport', by: by.actor, on })
    if (refusal !== null) return refuse([refusedBy(refusal)])
    if (verdict.kind === 'new') {
      const level = levels.get(cells.level)
      const accountId =
        level &&
        'row' in reading &&
        (await createImportedMember(tx, { row: reading.row, level, passwordHash, record: reading.record.values }, by))
      if (!accountId) return refuse([CHANGED_SINCE_CHECK])
      if (file.sendsInvitations) await invitations.invite(tx, accountId, now)
      return markRowDone(tx, file.id, row.line, now)
    }
    const { accountId, changes } = verdict
    const isAsSeen = JSON.stringify(changes) === JSON.stringify(row.changes)
    const changed = fields.filter(({ id }) => changes.some(({ column }) => column === id)).map(({ field }) => field)
    const record = Object.fromEntries(
      Object.entries(reading.record.values).filter(([key]) => changed.some((field) => field.key === key)),
    )
    const wanted = {
      accountId,
      cells,
      record,
      changes,
      level: levels.get(cells.level),
      fields: changed.map(({ label }) => label),
    }
    if (!isAsSeen || !(await applyChanges(tx, wanted, by))) {
      return refuse([CHANGED_SINCE_CHECK])
    }
    return markRowDone(tx, file.id, row.line, now)
  }

  /** Imports a batch and queues the next one in one transaction, so a crash neither loses nor repeats rows. */
  async function importSome(id: string, limit: number): Promise<void> {
    const levels = await levelsByKey(db)
    // One hash of a random password for all rows.
    const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
    await db.transaction().execute(async (tx) => {
      const file = await lockRunningImport(tx, id)
      if (!file) return
      const rows = await listPendingRows(tx, id, limit)
      for (const row of rows) await importRow(tx, file, row, { levels, passwordHash })
      const last = rows.at(-1)
      if (last) await queueNextRows(tx, { importId: id, after: last.line }, clock.now())
      else await finishImport(tx, id, clock.now())
    })
  }

  /** Skips a row that keeps failing on its own, so it does not block the others. */
  async function skipNextRow(id: string): Promise<void> {
    await db.transaction().execute(async (tx) => {
      if (!(await lockRunningImport(tx, id))) return
      const line = await excludeNextRow(tx, id, [NOT_STORED])
      if (line !== null) await queueNextRows(tx, { importId: id, after: line }, clock.now())
    })
  }

  async function runBatch({ importId: id }: { importId: string }, { attempts }: { attempts: number }): Promise<void> {
    try {
      await importSome(id, attempts > 1 ? 1 : ROWS_AT_ONCE)
    } catch (error) {
      if (attempts <= TRIES_A_ROW) throw error
      await skipNextRow(id)
    }
    wakeOutbox()
  }

  return { effects: { 'members.import': runBatch } }
}

/** Queues the batch after a line, once per line. */
export function queueNextRows(
  tx: Tx,
  { importId, after }: { importId: string; after: number },
  now: number,
): Promise<void> {
  const dedupeKey = `members.import:${importId}:${after}`
  return addToOutbox(tx, { effect: importMembers, payload: { importId }, dedupeKey }, now)
}

/** Our own column names, for reading stored rows again. */
const HEADING: CsvRow = { line: 1, cells: [...MEMBER_COLUMNS] }

/** Account id for a row that creates an account. */
const NO_ACCOUNT = ''

/** For a row about an account that the importing officer may not change. */
const refusedBy = (code: ActRefusal): RowError => ({
  column: null,
  sentence: errors[code].message,
  cure: 'Remove the line, or ask another officer to import it.',
})

const CHANGED_SINCE_CHECK: RowError = {
  column: null,
  sentence: 'This member was added or changed after the file was checked, so this row was not imported.',
  cure: 'Upload this row again in a new file and review the changes.',
}
const NOT_STORED: RowError = {
  column: null,
  sentence: 'Something went wrong on our side with this row, so it was skipped.',
  cure: 'Try again with a new file, or tell the webmaster when it happened.',
}
