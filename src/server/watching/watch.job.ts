import type { Alarms } from '../platform/alarms.ts'
import type { Job } from '../platform/job-runner.ts'
import type { Sign } from './signs.ts'

const EVERY_MS = 5 * 60_000

/** Looks at everything that rings an alarm. What cannot be looked at just now is looked at again at the next turn. */
export function watchJob(signs: readonly Sign[], alarms: Alarms): Job {
  return {
    name: 'watch',
    everyMs: EVERY_MS,
    async run() {
      for (const { name, alarm, check } of signs) {
        if (!alarm) continue
        const reason = await check().catch(() => null)
        if (reason !== null) await alarms.raise(alarm, { check: name, found: reason })
      }
    },
  }
}
