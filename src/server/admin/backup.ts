import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BackupProblem } from '../backup/backup-problem.ts'
import { makeBackup, type BackupResult } from '../backup/make-backup.ts'
import { restoreBackup, type RestoredBackup } from '../backup/restore-backup.ts'
import { openDatabase } from '../db/open-database.ts'
import type { Say, ToolsWithoutDatabase } from './tools.ts'

const KEEP_DAYS = 14

/** `backup [DIR] [--keep DAYS]`. Neither migrates nor seeds, so that a backup can be made before an upgrade. */
export async function backup(
  parameters: readonly string[],
  { config, clock, say }: ToolsWithoutDatabase,
): Promise<number> {
  const parsed = parseArguments(parameters, { keep: { type: 'string' } } as const)
  const directory = parsed?.positionals[0] ?? config.backup?.directory
  const keep = Number(parsed?.values.keep ?? config.backup?.keep ?? KEEP_DAYS)
  if (!parsed || parsed.positionals.length > 1 || !directory || !Number.isInteger(keep) || keep < 1) {
    say('Usage: backup FOLDER [--keep DAYS], or set BACKUP_DIR and run "backup".')
    return 2
  }
  const database = openDatabase(config.databaseUrl, console)
  try {
    const result = await makeBackup({ config, database, directory: resolve(directory), keep, now: clock.now() })
    for (const line of describeBackup(result, config.sessionSecret !== null)) say(line)
    return 0
  } catch (error) {
    return reportProblem(error, say)
  } finally {
    await database.close()
  }
}

/** `restore DIR [--replace]`. */
export async function restore(
  parameters: readonly string[],
  { config, clock, say }: ToolsWithoutDatabase,
): Promise<number> {
  const parsed = parseArguments(parameters, { replace: { type: 'boolean' } } as const)
  const [path, ...more] = parsed?.positionals ?? []
  if (!parsed || path === undefined || more.length > 0) {
    say('Usage: restore FOLDER [--replace]. FOLDER is a backup, or a folder of backups whose newest is restored.')
    return 2
  }
  try {
    const { replace = false } = parsed.values
    const restored = await restoreBackup({ config, path, replace, clock, say })
    for (const line of describeRestore(restored)) say(line)
    return 0
  } catch (error) {
    return reportProblem(error, say)
  }
}

/** Returns null when the arguments are invalid. */
function parseArguments<const T extends Record<string, { type: 'string' | 'boolean' }>>(
  parameters: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...parameters], options, allowPositionals: true })
  } catch {
    return null
  }
}

function reportProblem(error: unknown, say: Say): number {
  if (!(error instanceof BackupProblem)) throw error
  say(error.message)
  return 1
}

function describeBackup({ path, manifest, removed }: BackupResult, hasExternalSecret: boolean): string[] {
  const { tables, files, media } = manifest
  const bytes = [...files, ...media].reduce((sum, file) => sum + file.bytes, 0)
  return [
    `${path}: ${pluralize(countRows(tables), 'row')} of ${pluralize(Object.keys(tables).length, 'table')}, ${pluralize(media.length, 'media file')}, ${megabytes(bytes)}.`,
    ...(removed > 0 ? [`${pluralize(removed, 'older backup')} removed.`] : []),
    ...(hasExternalSecret
      ? ['SESSION_SECRET is set in the environment and not part of the backup. Store it separately.']
      : []),
    'The backup contains personal data and secrets. Keep a copy on another machine.',
  ]
}

const SECRET_RESULTS: Record<RestoredBackup['secret'], string> = {
  restored: 'The session secret was restored from the backup.',
  kept: 'The session secret was already in place.',
  elsewhere: 'The session secret comes from SESSION_SECRET. If it differs from before, links in emails no longer work.',
  none: 'The backup contains no session secret. Set SESSION_SECRET to its former value.',
}

function describeRestore({ path, manifest, tables, media, secret, aside }: RestoredBackup): string[] {
  const members = tables['account'] ?? 0
  return [
    `Restored from ${path}, made ${manifest.madeAt}: ${pluralize(countRows(tables), 'row')} of ${pluralize(Object.keys(tables).length, 'table')}, including ${pluralize(members, 'account')}.`,
    `Media: ${media.added} restored, ${media.present} already present and left unchanged.`,
    SECRET_RESULTS[secret],
    ...(aside ? [`The previous data is kept under the name ${aside}. Delete it when you no longer need it.`] : []),
    '',
    'Everyone has to log in again, and a newsletter that was being sent is paused ("newsletter list").',
    'Changes made after the backup are lost: people who unsubscribed or deleted their account since then are back.',
    'Next: start the site, then run "npm run admin -- stripe sync". It compares every payment and membership with the card provider,',
    'repairs differences, and reports payments by people missing here to the officers.',
  ]
}

function countRows(tables: Record<string, number>): number {
  return Object.values(tables).reduce((sum, count) => sum + count, 0)
}

function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}
