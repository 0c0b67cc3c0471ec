import type { ATTENDEE_SORTS, AttendeeState } from '#contract/console/events/events.ts'
import type { RSVP_STATUSES } from '#contract/public/rsvp.ts'

interface Listed {
  name: string
  status: (typeof RSVP_STATUSES)[number]
  guests: number
  arrived: number
  askedAt: number
}

/** Whether an RSVP is among those of a tab. A canceled guest who came anyway has arrived. */
export function isInState({ status, arrived }: Pick<Listed, 'status' | 'arrived'>, state: AttendeeState): boolean {
  if (state === 'arrived') return arrived > 0
  if (state === 'active') return status !== 'cancelled' || arrived > 0
  return status === state
}

/** Equal ones stay in the order of their names. */
export function sortAttendees<T extends Listed>(
  attendees: readonly T[],
  { sort, order }: { sort: (typeof ATTENDEE_SORTS)[number]; order: 'up' | 'down' },
): T[] {
  const sign = order === 'up' ? 1 : -1
  const byName = (a: T, b: T) => a.name.localeCompare(b.name)
  const difference: Record<(typeof ATTENDEE_SORTS)[number], (a: T, b: T) => number> = {
    name: byName,
    asked: (a, b) => a.askedAt - b.askedAt,
    guests: (a, b) => a.guests - b.guests,
    arrived: (a, b) => a.arrived - b.arrived,
  }
  return [...attendees].sort((a, b) => sign * difference[sort](a, b) || byName(a, b))
}
