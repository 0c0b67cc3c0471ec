import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dayOf } from '#contract/dates.ts'
import { findAccountByName } from '../features/account/account.repository.ts'
import { hashPassword } from '../features/auth/passwords.ts'
import { levelsByKey } from '../features/membership/level.repository.ts'
import { listImported } from '../features/membership/member-import.repository.ts'
import { undoImportedAccount } from '../features/membership/member-import-undo.ts'
import { listMembers, readGraceMs } from '../features/membership/member.repository.ts'
import { membershipStatus, runsUntil } from '../features/membership/membership.rules.ts'
import { newId } from '../platform/ids.ts'
import { takeOver } from '../features/membership/take-over.ts'
import { MEMBER_COLUMNS } from '#contract/console-import.ts'
import { readCsvRows, separatorOf, writeCsv } from '#server/platform/csv.ts'
import { textOfSpreadsheet } from '#server/platform/spreadsheet-text.ts'
import { readMemberRows } from '#server/features/membership/member-rows.rules.ts'
import type { Tools } from './tools.ts'

/** `members export FILE`: everybody, in cells no spreadsheet runs. */
export async function exportMembers(
  [file]: readonly string[],
  { database: { db }, clock, config, say }: Tools,
): Promise<number> {
  if (!file) {
    say('Say "members export FILE".')
    return 2
  }
  const graceMs = await readGraceMs(db)
  const day = (instant: number | null | undefined) => (instant ? dayOf(instant, config.timeZone) : '')
  const rows = (await listMembers(db)).map(({ account, membership, credential }) => [
    account.email,
    account.username,
    account.firstName,
    account.lastName,
    membership?.levelKey ?? '',
    day(membership?.startedAt),
    day(membership && runsUntil(membership, graceMs)),
    membership ? membershipStatus(membership, clock.now(), graceMs) : '',
    account.deactivatedBy ? 'disabled' : '',
    credential?.npi ?? '',
    credential?.licenceState ?? '',
    credential?.status ?? '',
  ])
  const heading = [...MEMBER_COLUMNS, 'status', 'account', 'npi', 'licenceState', 'credentials']
  writeFileSync(file, writeCsv([heading, ...rows]), { mode: 0o600 })
  say(`${rows.length} people written to ${file}. It holds personal data: keep it safe, and delete it after use.`)
  return 0
}

/**
 * `members import FILE [--dry-run]`: a verdict for each row; rows that are right are taken over, each with its membership. Nobody is given a password
 * or written to: they choose one by "Forgot password".
 */
export async function importMembers(words: readonly string[], tools: Tools): Promise<number> {
  const { database, clock, say } = tools
  const { db } = database
  const isDryRun = words.includes('--dry-run')
  const [file] = words.filter((word) => word !== '--dry-run')
  if (!file) {
    say(`Say "members import FILE [--dry-run]". Its columns: ${MEMBER_COLUMNS.join(', ')}.`)
    return 2
  }
  const levels = await levelsByKey(db)
  let readings
  try {
    const text = textOfSpreadsheet(readFileSync(file))
    readings = readMemberRows(readCsvRows(text, separatorOf(text)), levels)
  } catch (error) {
    say((error as Error).message)
    return 1
  }
  const batch = newId(clock.now())
  // One hash for all: of a password nobody knows.
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
  const counts = { taken: 0, passedOver: 0, wrong: 0 }
  for (const reading of readings) {
    const line = `line ${reading.line}`
    if ('faults' in reading) {
      counts.wrong++
      const told = reading.faults.map(({ column, sentence, cure }) => `${column ?? 'row'}: ${sentence} ${cure}`)
      say(`${line}  wrong: ${told.join(' ')}`)
      continue
    }
    const { row } = reading
    const holder = (await findAccountByName(db, row.email)) ?? (await findAccountByName(db, row.username))
    if (holder) {
      counts.passedOver++
      say(`${line}  ${holder.email === row.email ? 'has an account already' : 'username taken'}: ${row.email}`)
      continue
    }
    const level = levels.get(row.level)
    if (!isDryRun && level)
      await db.transaction().execute(async (tx) => {
        const by = { batch, actor: 'webmaster', now: clock.now() }
        if (!(await takeOver(tx, { row, level, passwordHash }, by)))
          throw new Error(`${row.email} got an account in the meantime`)
      })
    counts.taken++
    say(`${line}  ${isDryRun ? 'would be taken over' : 'taken over'}: ${row.email}, ${row.level}`)
  }
  say(
    `${counts.taken} ${isDryRun ? 'to take over' : 'taken over'}, ${counts.passedOver} passed over, ${counts.wrong} wrong.` +
      (isDryRun || counts.taken === 0 ? ' Nothing was changed.' : ` "members undo ${batch}" takes this batch back.`),
  )
  return counts.wrong > 0 ? 1 : 0
}

/** `members undo BATCH`: takes back what an import made, except whoever has logged in, paid or written since. */
export async function undoImport([batch]: readonly string[], { database: { db }, clock, say }: Tools): Promise<number> {
  const accountIds = batch ? await listImported(db, batch) : []
  if (!batch || accountIds.length === 0) {
    say(batch ? `There is nothing left of a batch ${batch}.` : 'Say "members undo BATCH".')
    return batch ? 1 : 2
  }
  let kept = 0
  for (const accountId of accountIds) {
    const isGone = await db
      .transaction()
      .execute((tx) => undoImportedAccount(tx, { accountId, batch, actor: 'webmaster' }, clock.now()))
    if (!isGone) {
      kept++
      say(`kept, because it is in use: ${accountId}`)
    }
  }
  say(`${accountIds.length - kept} taken back, ${kept} kept.`)
  return 0
}
