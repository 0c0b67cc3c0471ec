import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Alerts } from '#server/alerts/alerts.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import type { Log } from '#server/lib/logger.ts'
import { listBackups } from './backup-folder.ts'
import { makeBackup } from './make-backup.ts'

/** A failed backup is retried after this; a manual backup delays the next scheduled one. */
const CHECK_INTERVAL_MS = 15 * 60_000
/** Longer than the backup of a large site takes; no other instance starts one meanwhile. */
const LEASE_MS = 2 * 3_600_000
/** After this many intervals without a backup the failure is no longer transient. */
const OVERDUE_INTERVALS = 2

/** Makes a backup when the newest is older than `BACKUP_EVERY_HOURS`, and alerts the officers about failures at most once per interval. */
export function backupJob({
  config,
  backup,
  database,
  clock,
  log,
  alerts,
}: {
  config: Config
  backup: NonNullable<Config['backup']>
  database: Database
  clock: Clock
  log: Log
  alerts: Alerts
}): Job {
  const { directory, everyMs, keep } = backup
  const startedAt = clock.now()
  let alertedAt = -Infinity

  /** @param lastAt when the newest backup was made; null: never */
  async function alertOfficers(reason: string, lastAt: number | null): Promise<void> {
    const now = clock.now()
    if (now - alertedAt < everyMs) return
    const isOverdue = now - (lastAt ?? startedAt) >= OVERDUE_INTERVALS * everyMs
    await alerts.raise(isOverdue ? 'backup-overdue' : 'backup-failed', {
      reason,
      lastBackupAt: lastAt === null ? 'never' : new Date(lastAt).toISOString(),
    })
    alertedAt = now
  }

  return {
    name: 'backup',
    everyMs: CHECK_INTERVAL_MS,
    leaseMs: LEASE_MS,
    runsImmediately: true,
    runsConcurrently: true,
    async run() {
      const lastAt = await lastBackupAt(directory).catch(() => null)
      const now = clock.now()
      if (lastAt !== null && now - lastAt < everyMs) return
      try {
        const { manifest, removed } = await makeBackup({ config, database, directory, keep, now })
        const { files, media } = manifest
        log.info({ files: files.length, media: media.length, removed, tookMs: clock.now() - now }, 'backup made')
        alertedAt = -Infinity
      } catch (error) {
        await alertOfficers(String((error as Error).message).slice(0, 200), lastAt)
        throw error
      }
    },
  }
}

/** Returns null when there is no backup. */
export async function lastBackupAt(directory: string): Promise<number | null> {
  return (await listBackups(directory))[0]?.madeAt ?? null
}
