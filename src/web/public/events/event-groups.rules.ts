import { splitDay } from '#contract/dates/days.ts'
import type { AssociationEvent } from '#contract/public/events.ts'

export interface EventGroup {
  /** 'December', or 'Later' after the first months. */
  name: string
  year: number
  events: AssociationEvent[]
}

/** Months that have a heading of their own. */
const MONTHS_SHOWN = 4

/** Upcoming events by month, soonest first. */
export function groupByMonth(upcoming: readonly AssociationEvent[]): EventGroup[] {
  const groups: EventGroup[] = []
  for (const event of upcoming) {
    const { month, year } = splitDay(event.startsOn ?? '')
    const last = groups.at(-1)
    if (last && last.year === year && (last.name === month || last.name === LATER)) last.events.push(event)
    else groups.push({ name: groups.length < MONTHS_SHOWN ? month : LATER, year, events: [event] })
  }
  return groups
}

export const LATER = 'Later'
