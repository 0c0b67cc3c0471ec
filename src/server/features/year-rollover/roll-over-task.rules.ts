import type { TaskOfToday } from '#contract/console.ts'
import { addDays, writeDay } from '#contract/days.ts'
import type { StoredRollOver } from './roll-over.repository.ts'

/** So long before the year ends it is spoken of. */
const AHEAD_DAYS = 60
const SOON_DAYS = 14

/** What the list of today says of the year that is to be moved on. */
export function taskOf({
  today,
  year: { firstDay, lastDay },
  open,
}: {
  today: string
  year: { firstDay: string; lastDay: string }
  open: Pick<StoredRollOver, 'state' | 'failure'> | null
}): TaskOfToday {
  const hasFailed = (open?.failure.length ?? 0) > 0
  const isNear = firstDay <= addDays(today, AHEAD_DAYS)
  const isWanted = hasFailed || (isNear && open?.state !== 'scheduled')
  const ends = `The year ${lastDay < today ? 'ended' : 'ends'} on ${writeDay(lastDay)}.`
  return {
    count: isWanted ? 1 : 0,
    urgency: hasFailed ? 'late' : firstDay <= addDays(today, SOON_DAYS) ? 'soon' : 'calm',
    detail: hasFailed
      ? `It did not happen on its day. ${open?.failure[0] ?? ''}`.trim()
      : `${ends}${open ? ' A plan is begun.' : ''}`,
  }
}
