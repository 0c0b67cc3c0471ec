import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BackupProblem } from '../backup/backup-problem.ts'
import { makeBackup, type MadeBackup } from '../backup/make-backup.ts'
import { restoreBackup, type RestoredBackup } from '../backup/restore-backup.ts'
import { openDatabase } from '../db/open-database.ts'
import type { Say, ToolsWithoutDatabase } from './tools.ts'

const KEEP_DAYS = 14

/** `backup [DIR] [--keep DAYS]`: neither migrates nor fills, so that it can be made before an upgrade. */
export async function backup(
  parameters: readonly string[],
  { config, clock, say }: ToolsWithoutDatabase,
): Promise<number> {
  const asked = readWords(parameters, { keep: { type: 'string' } } as const)
  const directory = asked?.positionals[0] ?? config.backup?.directory
  const keep = Number(asked?.values.keep ?? config.backup?.keep ?? KEEP_DAYS)
  if (!asked || asked.positionals.length > 1 || !directory || !Number.isInteger(keep) || keep < 1) {
    say('Say "backup FOLDER [--keep DAYS]", or set BACKUP_DIR and say "backup".')
    return 2
  }
  const database = openDatabase(config.databaseUrl, console)
  try {
    const made = await makeBackup({ config, database, directory: resolve(directory), keep, now: clock.now() })
    for (const line of describeBackup(made, config.sessionSecret !== null)) say(line)
    return 0
  } catch (error) {
    return tellProblem(error, say)
  } finally {
    await database.close()
  }
}

/** `restore DIR [--replace]`. */
export async function restore(
  parameters: readonly string[],
  { config, clock, say }: ToolsWithoutDatabase,
): Promise<number> {
  const asked = readWords(parameters, { replace: { type: 'boolean' } } as const)
  const [path, ...more] = asked?.positionals ?? []
  if (!asked || path === undefined || more.length > 0) {
    say('Say "restore FOLDER [--replace]": a backup, or a folder of backups, of which the newest is taken.')
    return 2
  }
  try {
    const { replace = false } = asked.values
    const restored = await restoreBackup({ config, path, replace, clock, say })
    for (const line of describeRestore(restored)) say(line)
    return 0
  } catch (error) {
    return tellProblem(error, say)
  }
}

/** null when the words are not understood. */
function readWords<const T extends Record<string, { type: 'string' | 'boolean' }>>(
  parameters: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...parameters], options, allowPositionals: true })
  } catch {
    return null
  }
}

function tellProblem(error: unknown, say: Say): number {
  if (!(error instanceof BackupProblem)) throw error
  say(error.message)
  return 1
}

function describeBackup({ path, manifest, removed }: MadeBackup, hasSecretOutside: boolean): string[] {
  const { tables, files, media } = manifest
  const bytes = [...files, ...media].reduce((sum, file) => sum + file.bytes, 0)
  return [
    `${path}: ${counted(rowsOf(tables), 'row')} of ${counted(Object.keys(tables).length, 'table')}, ${counted(media.length, 'media file')}, ${megabytes(bytes)}.`,
    ...(removed > 0 ? [`${counted(removed, 'older backup')} removed.`] : []),
    ...(hasSecretOutside ? ['SESSION_SECRET is set in the environment and not in the backup: keep it elsewhere.'] : []),
    'It holds personal data and secrets. Keep a copy on another machine.',
  ]
}

const SECRETS: Record<RestoredBackup['secret'], string> = {
  restored: 'The session secret is that of the backup.',
  kept: 'The session secret was there already.',
  elsewhere: 'The session secret is that of SESSION_SECRET; with another than before, links in letters end.',
  none: 'The backup holds no session secret: set SESSION_SECRET as it was.',
}

function describeRestore({ path, manifest, tables, media, secret, aside }: RestoredBackup): string[] {
  const members = tables['account'] ?? 0
  return [
    `Restored from ${path}, made ${manifest.madeAt}: ${counted(rowsOf(tables), 'row')} of ${counted(Object.keys(tables).length, 'table')}, among them ${counted(members, 'account')}.`,
    `Media: ${media.added} put back, ${media.present} there already and left as they are.`,
    SECRETS[secret],
    ...(aside ? [`What was there before is kept under the name ${aside}; remove it when you are sure.`] : []),
    '',
    'Everybody logs in anew, and a newsletter that was being sent is paused ("newsletter list").',
    'What happened after the backup is gone: who left the newsletter or deleted their account since is back.',
    'Next: start the site, then "npm run admin -- stripe sync": it asks the card provider for every payment and membership,',
    'repairs what differs, and names to the officers who paid and is not known here.',
  ]
}

function rowsOf(tables: Record<string, number>): number {
  return Object.values(tables).reduce((sum, count) => sum + count, 0)
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}
