import type { ImportedCounts } from '#contract/console-newsletter.ts'
import { MOST_IMPORT_ROWS } from '#contract/console-import.ts'
import { inBatches } from '#server/db/in-batches.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import { readCsvRows, separatorOf } from '#server/platform/csv.ts'
import { newId } from '#server/platform/ids.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { textOfSpreadsheet } from '#server/platform/spreadsheet-text.ts'
import { addressHash } from './address-hash.ts'
import { readReaders, type ImportedReader, type WrongReader } from './subscriber-import.rules.ts'
import { findKnownAddresses, insertImported, listSuppressed } from './subscriber.repository.ts'

/** A list of people who agreed to get the newsletter, read and not yet compared with who is there. */
export interface ReaderList {
  readers: ImportedReader[]
  wrong: WrongReader[]
}

/** @throws Error with a sentence for the file */
export function readReaderList(bytes: Uint8Array, today: string): ReaderList {
  const text = textOfSpreadsheet(bytes)
  const rows = readCsvRows(text, separatorOf(text))
  if (rows.length > MOST_IMPORT_ROWS + 1) {
    throw new Error(`The file has more than ${MOST_IMPORT_ROWS.toLocaleString('en-US')} rows. Split it into two.`)
  }
  return readReaders(rows, today)
}

/** Which of them an import would add. Nobody is added past the suppression list, and who is known stays as they are. */
export async function compareReaders(
  db: Db,
  { readers, wrong }: ReaderList,
  secrets: Secrets,
): Promise<{ fresh: ImportedReader[]; counts: ImportedCounts }> {
  const hashes = new Map(readers.map(({ email }) => [email, addressHash(secrets, email)]))
  const suppressed = new Set(
    await inBatches([...hashes.values()], async (some) => [...(await listSuppressed(db, some))]),
  )
  const known = await findKnownAddresses(
    db,
    readers.map(({ email }) => email),
  )
  const isSuppressed = ({ email }: ImportedReader) => suppressed.has(hashes.get(email) ?? '')
  const isKnown = ({ email }: ImportedReader) => known.has(email.toLowerCase())
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

/** Adds them, each as the list states the consent, and writes down who imported how many; nobody is written to. */
export async function importReaders(
  tx: Tx,
  list: ReaderList,
  { actor, filename, secrets, now }: { actor: string; filename: string; secrets: Secrets; now: number },
): Promise<ImportedCounts> {
  const { fresh, counts } = await compareReaders(tx, list, secrets)
  const added = await insertImported(
    tx,
    fresh.map(({ email, consentOn, consentSource }) => ({ id: newId(now), email, consentOn, consentSource })),
    now,
  )
  // Whoever asked for it in the meantime is known by now.
  const done = { ...counts, added, known: counts.known + counts.added - added }
  if (added > 0) {
    const details = { filename, ...done }
    await writeAudit(tx, { actor, action: 'subscribers.imported', subjectId: newId(now), details }, now)
  }
  return done
}
