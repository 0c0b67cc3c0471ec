import { dayOf } from '#contract/dates/dates.ts'
import { ContentError } from '#server/features/seed/content-files.service.ts'
import { exportContent, importContent } from '#server/features/seed/content-transfer.service.ts'
import type { Tools } from './tools.ts'

/** `content export FOLDER` and `content import FOLDER`. */
export async function content(
  [action, folder]: readonly string[],
  { config, database, clock, say }: Tools,
): Promise<number> {
  if (!folder || (action !== 'export' && action !== 'import')) {
    say('Usage: content export FOLDER | content import FOLDER')
    return 2
  }
  if (action === 'export') {
    const files = await exportContent(database.db, folder)
    say(`${files.length} files written to ${folder}.`)
    return 0
  }
  const now = clock.now()
  try {
    const names = await importContent(database.db, folder, { now, today: dayOf(now, config.timeZone) })
    say(`Imported: ${names.join(', ')}. The running site shows the changes within a second.`)
    return 0
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
    say(`${error.message}\nNothing was changed.`)
    return 1
  }
}
