import type { ImportedCounts, ReaderSystem, ReaderVerdict, WholeList } from '#contract/console/subscribers.ts'
import { IMPORT_MAX_ROWS } from '#contract/console/import.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { readCsvRows, detectSeparator } from '#server/lib/csv/csv.ts'
import { newId } from '#server/lib/ids.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { decodeSpreadsheet } from '#server/lib/csv/spreadsheet-text.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { insertImported } from '../subscribers/subscriber.repository.ts'
import { suppressByImport } from '../subscribers/subscriber.commands.ts'
import { parseSubscriberRows, type ImportedSubscriber, type InvalidImportRow } from './subscriber-file.rules.ts'
import { BLOCKS, judgeReader } from './subscriber-verdict.rules.ts'
import {
  endReader,
  findReaders,
  findSuppressionReasons,
  saveSubscriberImport,
  type SubscriberImportRow,
} from './subscriber-import.repository.ts'

/** A parsed import file, not yet compared with the existing subscribers. */
export interface SubscriberImport {
  system: ReaderSystem | null
  subscribers: ImportedSubscriber[]
  invalidRows: InvalidImportRow[]
}

/** A row with its verdict, and what this site had before. */
export interface JudgedReader extends ImportedSubscriber {
  verdict: ReaderVerdict
  emailHash: string
  known: { id: string; state: 'pending' | 'subscribed' | 'left' | 'bounced' | 'complained' } | null
  suppressedFor: string | null
}

/** @param given the file's name, and what the officer says about the whole list @throws Error with a message for the officer */
export function parseSubscriberImport(
  bytes: Uint8Array,
  today: string,
  given: { filename: string; list: WholeList },
): SubscriberImport {
  const text = decodeSpreadsheet(bytes)
  const rows = readCsvRows(text, detectSeparator(text))
  if (rows.length > IMPORT_MAX_ROWS + 1) {
    throw new Error(
      `The file has more than ${IMPORT_MAX_ROWS.toLocaleString('en-US')} rows. Split it into smaller files.`,
    )
  }
  return parseSubscriberRows(rows, today, given)
}

/** The verdict of each row, against the subscribers and the suppression list. Writes nothing. */
export async function judgeSubscribers(
  db: Db,
  { subscribers }: SubscriberImport,
  { secrets, timeZone }: { secrets: Secrets; timeZone: string },
): Promise<JudgedReader[]> {
  const hashes = subscribers.map(({ email }) => addressHash(secrets, email))
  const reasons = await findSuppressionReasons(db, hashes)
  const readers = await findReaders(
    db,
    subscribers.map(({ email }) => email),
  )
  return subscribers.map((row, index) => {
    const emailHash = hashes[index] ?? ''
    const known = readers.get(nameKey(row.email)) ?? null
    const suppressedFor = reasons.get(emailHash) ?? null
    const confirmedOn = known?.confirmedAt ? dayOf(known.confirmedAt, timeZone) : null
    const verdict = judgeReader(row, { state: known?.state ?? null, confirmedOn, suppressedFor })
    return { ...row, verdict, emailHash, known, suppressedFor }
  })
}

export function countReaders(judged: readonly JudgedReader[], wrong: number): ImportedCounts {
  const count = (verdict: ReaderVerdict) => judged.filter((row) => row.verdict === verdict).length
  return {
    added: count('added'),
    dated: judged.filter(({ verdict, on }) => verdict === 'added' && on !== null).length,
    known: count('known'),
    suppressed: count('suppressed'),
    blocked: count('blocked'),
    ended: count('ended'),
    newerConsent: count('newer-consent'),
    noConsent: count('no-consent'),
    wrong,
  }
}

/**
 * Adds the new subscribers with the consent stated in the file, records those who unsubscribed, bounced or complained elsewhere so that nothing is sent to them, and audits
 * the import. Sends no email.
 */
export async function applySubscriberImport(
  tx: Tx,
  list: SubscriberImport,
  options: { actor: string; filename: string; secrets: Secrets; timeZone: string; now: number },
): Promise<ImportedCounts> {
  const { actor, filename, now } = options
  const judged = await judgeSubscribers(tx, list, options)
  const counts = countReaders(judged, list.invalidRows.length)
  const fresh = judged
    .filter(({ verdict }) => verdict === 'added')
    .map(({ email, emailHash, on, source }) => ({
      id: newId(now),
      email,
      emailHash,
      consentOn: on,
      consentSource: source,
    }))
  const added = await insertImported(tx, fresh, now)
  const rows: SubscriberImportRow[] = fresh
    .filter(({ id }) => added.has(id))
    .map(({ id, emailHash }) => ({
      emailHash,
      act: 'added',
      subscriberId: id,
      stateBefore: null,
      reason: null,
      reasonBefore: null,
    }))
  for (const row of judged) {
    if (row.status === 'subscribed' || row.status === 'none' || row.verdict === 'newer-consent') continue
    // Addresses that are suppressed already have a row too: undoing another import must not forget what this one says.
    const { reason, state } = BLOCKS[row.status]
    await suppressByImport(tx, row.emailHash, reason, now)
    const ended = row.verdict === 'ended' ? row.known : null
    if (ended) await endReader(tx, { id: ended.id, state, now })
    rows.push({
      emailHash: row.emailHash,
      act: ended ? 'ended' : 'blocked',
      subscriberId: ended?.id ?? null,
      stateBefore: ended?.state ?? null,
      reason,
      reasonBefore: row.suppressedFor,
    })
  }
  // People who subscribed since the comparison are known.
  const result = { ...counts, added: added.size, known: counts.known + counts.added - added.size }
  if (rows.length > 0) {
    const id = newId(now)
    const file = { id, filename, system: list.system, counts: result, importedAt: now, importedBy: actor }
    await saveSubscriberImport(tx, file, rows)
    await writeAudit(
      tx,
      { actor, action: 'subscribers.imported', subjectId: id, details: { filename, ...result } },
      now,
    )
  }
  return result
}
