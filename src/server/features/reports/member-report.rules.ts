import type { MembersByMonth, MonthOfChange } from '#contract/console/reports.ts'
import { addDays } from '#contract/dates/days.ts'

/** A membership that starts this soon after the one before continues it; in milliseconds. */
export const CONTINUED_WITHIN_MS = 60 * 86_400_000

/** A month of a report, on the association's calendar. */
export interface ReportMonth {
  /** `YYYY-MM` */
  month: string
  /** Epoch milliseconds: its first moment, and the first after it. */
  from: number
  until: number
}

/**
 * The last months, oldest first, the last being the one that `today` is in.
 * @param today `YYYY-MM-DD`
 * @param startOf returns the first moment of a day
 */
export function monthsUntil(today: string, count: number, startOf: (day: string) => number): ReportMonth[] {
  const months = [today.slice(0, 7)]
  while (months.length < count) months.unshift(addDays(`${months[0]}-01`, -1).slice(0, 7))
  return months.map((month) => ({
    month,
    from: startOf(`${month}-01`),
    until: startOf(`${addDays(`${month}-28`, 4).slice(0, 7)}-01`),
  }))
}

/** A membership of a person, with the neighbors of the same person. Times are epoch milliseconds; null is never. */
export interface MembershipSpan {
  startedAt: number
  endsAt: number | null
  /** When the one before ended; null if it is the person's first. */
  endedBefore: number | null
  /** When the next one started; null if it is the last. */
  nextStartedAt: number | null
}

type MemberChanges = Omit<MonthOfChange, 'due' | 'renewed'>

/** Counts who joined, returned and was lost in each month. */
export function countChanges(
  months: readonly ReportMonth[],
  spans: readonly MembershipSpan[],
  now: number,
): MemberChanges[] {
  const changes = months.map(({ month }) => ({ month, joined: 0, returned: 0, lost: 0 }))
  const changeAt = (instant: number) =>
    changes[months.findIndex(({ from, until }) => from <= instant && instant < until)]

  for (const { startedAt, endsAt, endedBefore, nextStartedAt } of spans) {
    const started = changeAt(startedAt)
    if (started && endedBefore === null) started.joined += 1
    else if (started && endedBefore !== null && startedAt - endedBefore > CONTINUED_WITHIN_MS) started.returned += 1

    if (endsAt === null || endsAt > now) continue
    const isContinued = nextStartedAt !== null && nextStartedAt - endsAt <= CONTINUED_WITHIN_MS
    const ended = changeAt(endsAt)
    if (ended && !isContinued) ended.lost += 1
  }
  return changes
}

/** Members of a level at a moment. */
export interface LevelCount {
  at: number
  levelKey: string
  count: number
}

/** Arranges the counts by month and level, the level with the most members today first. */
export function arrangeByLevel(
  moments: readonly { month: string; at: number }[],
  counts: readonly LevelCount[],
  names: ReadonlyMap<string, string>,
): MembersByMonth {
  const byMoment = Map.groupBy(counts, ({ at }) => at)
  const countOf = (at: number | undefined, key: string) =>
    byMoment.get(at ?? -1)?.find(({ levelKey }) => levelKey === key)?.count ?? 0
  const last = moments.at(-1)?.at
  const keys = [...new Set(counts.map(({ levelKey }) => levelKey))].sort(
    (a, b) => countOf(last, b) - countOf(last, a) || a.localeCompare(b),
  )
  return {
    levels: keys.map((key) => ({ key, name: names.get(key) ?? key })),
    months: moments.map(({ month, at }) => ({ month, counts: keys.map((key) => countOf(at, key)) })),
  }
}
