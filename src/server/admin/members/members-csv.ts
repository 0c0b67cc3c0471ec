import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { storeOf, type CredentialKind } from '#contract/credentials/credential-kinds.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { readCredentialKinds } from '#server/features/content-store/credential-kinds.queries.ts'
import { findAccountByLogin } from '#server/features/accounts/account.queries.ts'
import { hashPassword } from '#server/features/auth/password-hash.service.ts'
import { levelsByKey } from '#server/features/levels/level.queries.ts'
import { listImportedAccounts } from '#server/features/member-admin/import/member-import.repository.ts'
import { undoImportedAccount } from '#server/features/member-admin/import/member-import-undo.service.ts'
import { listMembers, readGraceMs } from '#server/features/member-admin/member.repository.ts'
import { membershipStatus, runsUntil } from '#server/features/memberships/membership.rules.ts'
import { newId } from '#server/lib/ids.ts'
import { createImportedMember } from '#server/features/member-admin/import/apply-import-row.service.ts'
import { MEMBER_COLUMN_NAMES, MEMBER_COLUMNS } from '#contract/console/import.ts'
import { readCsvRows, detectSeparator, writeCsv } from '#server/lib/csv/csv.ts'
import { decodeSpreadsheet } from '#server/lib/csv/spreadsheet-text.ts'
import { missingColumns, parseMemberRows } from '#server/features/member-admin/import/member-rows.rules.ts'
import type { Tools } from '../tools.ts'
import { recognizeColumns } from '#server/features/member-admin/import/systems/recognize-columns.rules.ts'

const numberColumns = ['npi', 'licenceState'] as const

/** The columns of the number and of the state or issuer are named like the questions of the first kind that has them. */
function numberHeadings(kinds: readonly CredentialKind[]): Record<(typeof numberColumns)[number], string> {
  const keyOf = (column: (typeof numberColumns)[number]) =>
    kinds.flatMap(({ fields }) => fields).find(({ check }) => storeOf(check) === column)?.key
  return { npi: keyOf('npi') ?? 'number', licenceState: keyOf('licenceState') ?? 'issuer' }
}

/** `members export FILE`: exports all members as CSV with formulas escaped. */
export async function exportMembers(
  [file]: readonly string[],
  { database: { db }, clock, config, say }: Tools,
): Promise<number> {
  if (!file) {
    say('Usage: members export FILE')
    return 2
  }
  const graceMs = await readGraceMs(db)
  const day = (instant: number | null | undefined) => (instant ? dayOf(instant, config.timeZone) : '')
  const headings = numberHeadings(await readCredentialKinds(db))
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
    ...numberColumns.map((column) => credential?.[column] ?? ''),
    credential?.status ?? '',
  ])
  const heading = [
    ...MEMBER_COLUMNS,
    'status',
    'account',
    ...numberColumns.map((column) => headings[column]),
    'credentials',
  ]
  writeFileSync(file, writeCsv([heading, ...rows]), { mode: 0o600 })
  say(
    `${rows.length} people exported to ${file}. The file contains personal data: keep it safe, and delete it after use.`,
  )
  return 0
}

/**
 * `members import FILE [--dry-run]`: reports a verdict for each row and imports the valid ones with their memberships. Imported members get neither a password
 * nor an email: they choose a password with "Forgot password".
 */
export async function importMembers(args: readonly string[], tools: Tools): Promise<number> {
  const { database, clock, say } = tools
  const { db } = database
  const isDryRun = args.includes('--dry-run')
  const [file] = args.filter((arg) => arg !== '--dry-run')
  if (!file) {
    say(`Usage: members import FILE [--dry-run]. Columns: ${MEMBER_COLUMNS.join(', ')}.`)
    return 2
  }
  const levels = await levelsByKey(db)
  let parsedRows
  try {
    const text = decodeSpreadsheet(readFileSync(file))
    const lines = readCsvRows(text, detectSeparator(text))
    const missing = missingColumns(recognizeColumns(lines[0]?.cells ?? []))
    if (missing.length > 0) {
      throw new Error(`The file has no column ${missing.map((column) => MEMBER_COLUMN_NAMES[column]).join(', ')}.`)
    }
    parsedRows = parseMemberRows(lines, levels)
  } catch (error) {
    say((error as Error).message)
    return 1
  }
  const batch = newId(clock.now())
  // One hash for all: of a random password no one knows.
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
  const counts = { imported: 0, skipped: 0, invalid: 0 }
  for (const parsed of parsedRows) {
    const line = `line ${parsed.line}`
    if ('faults' in parsed) {
      counts.invalid++
      const faults = parsed.faults.map(({ column, sentence, cure }) => `${column ?? 'row'}: ${sentence} ${cure}`)
      say(`${line}  invalid: ${faults.join(' ')}`)
      continue
    }
    const { row } = parsed
    const existing = (await findAccountByLogin(db, row.email)) ?? (await findAccountByLogin(db, row.username))
    if (existing) {
      counts.skipped++
      say(`${line}  ${existing.email === row.email ? 'already has an account' : 'username taken'}: ${row.email}`)
      continue
    }
    const level = levels.get(row.level)
    if (!isDryRun && level)
      await db.transaction().execute(async (tx) => {
        const context = { batch, actor: 'webmaster', now: clock.now() }
        if (!(await createImportedMember(tx, { row, level, passwordHash }, context)))
          throw new Error(`${row.email} got an account during the import`)
      })
    counts.imported++
    say(`${line}  ${isDryRun ? 'would be imported' : 'imported'}: ${row.email}, ${row.level}`)
  }
  say(
    `${counts.imported} ${isDryRun ? 'to import' : 'imported'}, ${counts.skipped} skipped, ${counts.invalid} invalid.` +
      (isDryRun || counts.imported === 0 ? ' Nothing was changed.' : ` "members undo ${batch}" undoes this import.`),
  )
  return counts.invalid > 0 ? 1 : 0
}

/** `members undo BATCH`: deletes the accounts of an import, except those that have logged in, paid or sent a message since. */
export async function undoImport([batch]: readonly string[], { database: { db }, clock, say }: Tools): Promise<number> {
  const accountIds = batch ? await listImportedAccounts(db, batch) : []
  if (!batch || accountIds.length === 0) {
    say(batch ? `There is no imported account in batch ${batch}.` : 'Usage: members undo BATCH')
    return batch ? 1 : 2
  }
  let kept = 0
  for (const accountId of accountIds) {
    const isRemoved = await db
      .transaction()
      .execute((tx) => undoImportedAccount(tx, { accountId, batch, actor: 'webmaster' }, clock.now()))
    if (!isRemoved) {
      kept++
      say(`kept because it is in use: ${accountId}`)
    }
  }
  say(`${accountIds.length - kept} removed, ${kept} kept.`)
  return 0
}
