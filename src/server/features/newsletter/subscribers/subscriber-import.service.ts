import type { ImportedCounts } from '#contract/console/subscribers.ts'
import { IMPORT_MAX_ROWS } from '#contract/console/import.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { readCsvRows, detectSeparator } from '#server/lib/csv/csv.ts'
import { newId } from '#server/lib/ids.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { decodeSpreadsheet } from '#server/lib/csv/spreadsheet-text.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import { parseSubscriberRows, type ImportedSubscriber, type InvalidImportRow } from './subscriber-import.rules.ts'
import { findKnownAddresses, insertImported } from './subscriber.repository.ts'
import { listSuppressed } from './subscriber.queries.ts'

/** A parsed import file, not yet compared with the existing subscribers. */
export interface SubscriberImport {
  subscribers: ImportedSubscriber[]
  invalidRows: InvalidImportRow[]
}

/** @throws Error with a message for the officer */
export function parseSubscriberImport(bytes: Uint8Array, today: string): SubscriberImport {
  const text = decodeSpreadsheet(bytes)
  const rows = readCsvRows(text, detectSeparator(text))
  if (rows.length > IMPORT_MAX_ROWS + 1) {
    throw new Error(
      `The file has more than ${IMPORT_MAX_ROWS.toLocaleString('en-US')} rows. Split it into smaller files.`,
    )
  }
  return parseSubscriberRows(rows, today)
}

/** Finds who an import would add. Suppressed addresses are skipped, and existing subscribers are unchanged. */
export async function compareSubscribers(
  db: Db,
  { subscribers: readers, invalidRows: wrong }: SubscriberImport,
  secrets: Secrets,
): Promise<{ fresh: ImportedSubscriber[]; counts: ImportedCounts }> {
  const hashes = new Map(readers.map(({ email }) => [email, addressHash(secrets, email)]))
  const suppressed = new Set(
    await queryInChunks([...hashes.values()], async (some) => [...(await listSuppressed(db, some))]),
  )
  const known = await findKnownAddresses(
    db,
    readers.map(({ email }) => email),
  )
  const isSuppressed = ({ email }: ImportedSubscriber) => suppressed.has(hashes.get(email) ?? '')
  const isKnown = ({ email }: ImportedSubscriber) => known.has(email.toLowerCase())
  const fresh = readers.filter((reader) => !isSuppressed(reader) && !isKnown(reader))
  return {
    fresh,
    counts: {
      added: fresh.length,
      dated: fresh.filter(({ consentOn }) => consentOn !== null).length,
      known: readers.filter((reader) => !isSuppressed(reader) && isKnown(reader)).length,
      suppressed: readers.filter(isSuppressed).length,
      wrong: wrong.length,
    },
  }
}

/** Adds the new subscribers with the consent stated in the file, and audits the import. Sends no email. */
export async function applySubscriberImport(
  tx: Tx,
  list: SubscriberImport,
  { actor, filename, secrets, now }: { actor: string; filename: string; secrets: Secrets; now: number },
): Promise<ImportedCounts> {
  const { fresh, counts } = await compareSubscribers(tx, list, secrets)
  const added = await insertImported(
    tx,
    fresh.map(({ email, consentOn, consentSource }) => ({ id: newId(now), email, consentOn, consentSource })),
    now,
  )
  // Count people who subscribed since the comparison as known.
  const result = { ...counts, added, known: counts.known + counts.added - added }
  if (added > 0) {
    const details = { filename, ...result }
    await writeAudit(tx, { actor, action: 'subscribers.imported', subjectId: newId(now), details }, now)
  }
  return result
}
