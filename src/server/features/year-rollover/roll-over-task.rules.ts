import type { TodayTask } from '#contract/console/console.ts'
import { addDays, formatDay } from '#contract/dates/days.ts'
import type { StoredRollOver } from './roll-over.queries.ts'

/** How long before the end of the year the task appears. */
const SHOW_AHEAD_DAYS = 60
const SOON_DAYS = 14

/** Returns the roll-over task for the Today page. */
export function createRollOverTask({
  today,
  year: { firstDay, lastDay },
  open,
}: {
  today: string
  year: { firstDay: string; lastDay: string }
  open: Pick<StoredRollOver, 'state' | 'failure'> | null
}): TodayTask {
  const hasFailed = (open?.failure?.length ?? 0) > 0
  const isNear = firstDay <= addDays(today, SHOW_AHEAD_DAYS)
  const isWanted = hasFailed || (isNear && open?.state !== 'scheduled')
  const ends = `The year ${lastDay < today ? 'ended' : 'ends'} on ${formatDay(lastDay)}.`
  return {
    count: isWanted ? 1 : 0,
    urgency: hasFailed ? 'late' : firstDay <= addDays(today, SOON_DAYS) ? 'soon' : 'calm',
    detail: hasFailed
      ? `The scheduled roll-over failed. ${open?.failure?.[0] ?? ''}`.trim()
      : `${ends}${open ? ' A plan has been started.' : ''}`,
  }
}
