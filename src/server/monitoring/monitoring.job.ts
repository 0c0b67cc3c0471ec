import type { Alerts } from '#server/alerts/alerts.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import type { HealthCheck } from './health-checks.ts'

const EVERY_MS = 5 * 60_000

/** Runs every health check that has an alert. A check that cannot run now is retried at the next run. */
export function monitoringJob(checks: readonly HealthCheck[], alerts: Alerts): Job {
  return {
    name: 'watch',
    everyMs: EVERY_MS,
    async run() {
      for (const { name, alert: alarm, check } of checks) {
        if (!alarm) continue
        const reason = await check().catch(() => null)
        if (reason !== null) await alerts.raise(alarm, { check: name, found: reason })
      }
    },
  }
}
