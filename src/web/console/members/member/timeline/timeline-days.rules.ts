import { dateFormat } from '#contract/formatters.ts'
import { region } from '#contract/region.ts'
import type { TimelineEntry } from '#contract/console/people/member-timeline.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays, formatDay } from '#contract/dates/days.ts'

/** The entries by day, in their order. @param now epoch milliseconds, for "Today" and "Yesterday" */
export function byDay(
  entries: readonly TimelineEntry[],
  now: number,
): { heading: string; entries: readonly TimelineEntry[] }[] {
  const today = dayOf(now)
  const days = new Map<string, TimelineEntry[]>()
  for (const entry of entries) {
    const day = dayOf(Date.parse(entry.at))
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days].map(([day, some]) => ({ heading: headingOf(day, today), entries: some }))
}

function headingOf(day: string, today: string): string {
  if (day === today) return 'Today'
  return day === addDays(today, -1) ? 'Yesterday' : formatDay(day)
}

/** '7:58 AM' in the association's time zone. */
export function timeText(at: string): string {
  return dateFormat({ hour: 'numeric', minute: '2-digit', timeZone: region().timeZone }).format(Date.parse(at))
}
