import {
  EXPORT_MAX_BYTES,
  EXPORT_TOO_LARGE,
  TEXTS_MAX_BYTES,
  TEXTS_TOO_LARGE,
  type FoundContent,
} from '#contract/console/website/content-import.ts'
import { readCalendar } from './calendar-export.ts'
import { readGhostExport } from './ghost-export.ts'
import { readWordPressExport } from './wordpress-export.ts'

/**
 * Reads an export in the browser and returns what the site needs of it, ready to be sent.
 * @param site the address of the former website, which a Ghost export does not have
 * @throws Error with a sentence for the officer
 */
export async function readExport(file: File, site: string): Promise<Blob> {
  if (file.size > EXPORT_MAX_BYTES) throw new Error(EXPORT_TOO_LARGE)
  const found = readText(await file.text(), site)
  const sent = new Blob([JSON.stringify(found)])
  if (sent.size > TEXTS_MAX_BYTES) throw new Error(TEXTS_TOO_LARGE)
  return sent
}

/** The content tells the kind of file, not its name. */
function readText(text: string, site: string): FoundContent {
  const start = text.slice(0, 200).trimStart()
  if (start.startsWith('{')) return readGhostExport(text, site)
  if (/^\uFEFF?BEGIN:/i.test(start)) return readCalendar(text)
  return readWordPressExport(text)
}
