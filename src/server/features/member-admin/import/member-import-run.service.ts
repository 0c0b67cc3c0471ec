import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { errors } from '#contract/errors.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Tx } from '#server/db/database.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { CsvRow } from '#server/platform/csv.ts'
import type { EffectHandler } from '#server/platform/outbox-worker.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { lockAccount } from '../account/account.repository.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { ActGuard } from '../console/act-guard.ts'
import type { ActRefusal } from '../console/officer-acts.rules.ts'
import {
  finishImport,
  holdRunningImport,
  leaveOutNextRow,
  listWaitingRows,
  markRowDone,
  markRowWrong,
  type ImportFile,
  type ImportRow,
} from './import-file.repository.ts'
import type { ImportInvitations } from './import-invitation.ts'
import { findKnownPeople } from './known-people.repository.ts'
import { levelsByKey, type Level } from './level.repository.ts'
import { judgeRow } from './member-import.rules.ts'
import { readMemberRows, type MemberCells, type RowFault } from './member-rows.rules.ts'
import { bringTo, takeOver } from './take-over.ts'

/** Of one transaction: short, so that nobody who logs in meanwhile waits for it. */
const ROWS_AT_ONCE = 25
/** After so many tries in vain a row alone is left out, so that it does not hold up the others. */
const TRIES_A_ROW = 3

/** What goes on after an officer confirmed an import: some rows at a time, by themselves, whatever dies meanwhile. */
export function createMemberImportRun({
  db,
  clock,
  timeZone,
  graceMs,
  invitations,
  guard,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  graceMs(): number
  invitations: ImportInvitations
  guard: ActGuard
  wakeOutbox(): void
}): { effects: Record<string, EffectHandler> } {
  /** Judges a row once more, as things are now: somebody may have come or changed since the file was looked at. */
  async function importRow(
    tx: Tx,
    file: ImportFile,
    row: ImportRow,
    { levels, passwordHash }: { levels: ReadonlyMap<string, Level>; passwordHash: string },
  ): Promise<void> {
    const now = clock.now()
    const cells = row.cells
    if (!cells) return markRowDone(tx, file.id, row.line, now)
    const refuse = (faults: readonly RowFault[]) => markRowWrong(tx, { fileId: file.id, line: row.line }, faults)
    const [reading] = readMemberRows([HEADING, { line: row.line, cells: HEADING.cells.map(cellOf(cells)) }], levels)
    if (!reading) return refuse([MEANWHILE])
    const names = { emails: [cells.email], usernames: [cells.username] }
    const known = await findKnownPeople(tx, names, { timeZone, graceMs: graceMs() })
    const verdict = judgeRow(reading, known)
    const by = { batch: file.id, actor: file.confirmedBy ?? file.officerId, now }
    if (verdict.kind === 'unchanged') return markRowDone(tx, file.id, row.line, now)
    if (verdict.kind === 'wrong') return refuse(verdict.faults)
    if (verdict.kind !== row.verdict) return refuse([MEANWHILE])
    const on = verdict.kind === 'changed' ? verdict.accountId : NOBODY
    await lockAccount(tx, on)
    // Also for a new account: the role may have ended since the import was confirmed.
    const refusal = await guard.refusal(tx, { act: 'confirmImport', by: by.actor, on })
    if (refusal !== null) return refuse([refusedBy(refusal)])
    if (verdict.kind === 'new') {
      const level = levels.get(cells.level)
      const accountId = level && 'row' in reading && (await takeOver(tx, { row: reading.row, level, passwordHash }, by))
      if (!accountId) return refuse([MEANWHILE])
      if (file.sendsInvitations) await invitations.invite(tx, accountId, now)
      return markRowDone(tx, file.id, row.line, now)
    }
    const { accountId, changes } = verdict
    const isAsSeen = JSON.stringify(changes) === JSON.stringify(row.changes)
    if (!isAsSeen || !(await bringTo(tx, { accountId, cells, changes, level: levels.get(cells.level) }, by))) {
      return refuse([MEANWHILE])
    }
    return markRowDone(tx, file.id, row.line, now)
  }

  /** Some rows, and the order for the next ones, in one transaction: what a dead process had begun is done anew, what it had done is not. */
  async function importSome(id: string, limit: number): Promise<void> {
    const levels = await levelsByKey(db)
    // One hash for all: of a password nobody knows.
    const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
    await db.transaction().execute(async (tx) => {
      const file = await holdRunningImport(tx, id)
      if (!file) return
      const rows = await listWaitingRows(tx, id, limit)
      for (const row of rows) await importRow(tx, file, row, { levels, passwordHash })
      const last = rows.at(-1)
      if (last) await queueNextRows(tx, { importId: id, after: last.line }, clock.now())
      else await finishImport(tx, id, clock.now())
    })
  }

  /** A row that fails alone, again and again, does not hold up the others. */
  async function leaveOneOut(id: string): Promise<void> {
    await db.transaction().execute(async (tx) => {
      if (!(await holdRunningImport(tx, id))) return
      const line = await leaveOutNextRow(tx, id, [NOT_STORED])
      if (line !== null) await queueNextRows(tx, { importId: id, after: line }, clock.now())
    })
  }

  const goOn: EffectHandler = async ({ importId }, { attempts }) => {
    const id = String(importId)
    try {
      await importSome(id, attempts > 1 ? 1 : ROWS_AT_ONCE)
    } catch (error) {
      if (attempts <= TRIES_A_ROW) throw error
      await leaveOneOut(id)
    }
    wakeOutbox()
  }

  return { effects: { 'members.import': goOn } }
}

/** The order for the rows after a line, once for each. */
export function queueNextRows(
  tx: Tx,
  { importId, after }: { importId: string; after: number },
  now: number,
): Promise<void> {
  const dedupeKey = `members.import:${importId}:${after}`
  return addToOutbox(tx, { kind: 'members.import', payload: { importId }, dedupeKey }, now)
}

/** As the rows of a file are read again, by the names of our own columns. */
const HEADING: CsvRow = {
  line: 1,
  cells: ['email', 'username', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn'],
}
const cellOf = (cells: MemberCells) => (column: string) => cells[column as keyof MemberCells]

/** The account of a row that makes a new one. */
const NOBODY = ''

/** A line about somebody whom the officer who imports may not change. */
const refusedBy = (code: ActRefusal): RowFault => ({
  column: null,
  sentence: errors[code].message,
  cure: 'Leave the line out, or let another officer import it.',
})

const MEANWHILE: RowFault = {
  column: null,
  sentence: 'This person came or was changed after the file was looked at, so nothing was imported.',
  cure: 'Choose this row again in a new file, and look at what it would change.',
}
const NOT_STORED: RowFault = {
  column: null,
  sentence: 'Something went wrong on our side with this row, so it was left out.',
  cure: 'Try it again in a new file, or tell the webmaster the time.',
}
