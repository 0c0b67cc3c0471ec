import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Alarms } from '../platform/alarms.ts'
import type { Clock } from '../platform/clock.ts'
import type { Job } from '../platform/job-runner.ts'
import type { Log } from '../platform/logger.ts'
import { listBackups } from './backup-folder.ts'
import { makeBackup } from './make-backup.ts'

/** A failed one is tried again this soon, and one made by hand moves the next on. */
const LOOK_EVERY_MS = 15 * 60_000
/** Longer than a large site takes; nobody else begins meanwhile. */
const LEASE_MS = 2 * 3_600_000
/** Without one for so many periods it is no longer a slip. */
const OVERDUE_PERIODS = 2

/** Makes a backup when the newest is older than `BACKUP_EVERY_HOURS`, and tells the officers when none can be made, once a period. */
export function backupJob({
  config,
  backup,
  database,
  clock,
  log,
  alarms,
}: {
  config: Config
  backup: NonNullable<Config['backup']>
  database: Database
  clock: Clock
  log: Log
  alarms: Alarms
}): Job {
  const { directory, everyMs, keep } = backup
  const startedAt = clock.now()
  let toldAt = -Infinity

  /** @param lastAt when the newest was made; null: never */
  async function tell(reason: string, lastAt: number | null): Promise<void> {
    const now = clock.now()
    if (now - toldAt < everyMs) return
    const isOverdue = now - (lastAt ?? startedAt) >= OVERDUE_PERIODS * everyMs
    await alarms.raise(isOverdue ? 'backup-overdue' : 'backup-failed', {
      reason,
      lastBackupAt: lastAt === null ? 'never' : new Date(lastAt).toISOString(),
    })
    toldAt = now
  }

  return {
    name: 'backup',
    everyMs: LOOK_EVERY_MS,
    leaseMs: LEASE_MS,
    startsAtOnce: true,
    runsBeside: true,
    async run() {
      const lastAt = await lastBackupAt(directory).catch(() => null)
      const now = clock.now()
      if (lastAt !== null && now - lastAt < everyMs) return
      try {
        const { manifest, removed } = await makeBackup({ config, database, directory, keep, now })
        const { files, media } = manifest
        log.info({ files: files.length, media: media.length, removed, tookMs: clock.now() - now }, 'backup made')
        toldAt = -Infinity
      } catch (error) {
        await tell(String((error as Error).message).slice(0, 200), lastAt)
        throw error
      }
    },
  }
}

/** null when there is none. */
export async function lastBackupAt(directory: string): Promise<number | null> {
  return (await listBackups(directory))[0]?.madeAt ?? null
}
