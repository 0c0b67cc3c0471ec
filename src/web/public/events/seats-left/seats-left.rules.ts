import type { ReplyOf } from '#contract/endpoint.ts'
import type { readSeatsLeft } from '#contract/public/rsvp.ts'

type EventSeats = ReplyOf<typeof readSeatsLeft>['events'][number]

/** The valid entries of a reply; undefined if it has no list. Written without the contract's schemas, which are too large for a list. */
export function parseSeatsLeft(reply: unknown): EventSeats[] | undefined {
  const events = (reply as { events?: unknown } | null | undefined)?.events
  return Array.isArray(events) ? events.filter(isEventSeats) : undefined
}

function isEventSeats(value: unknown): value is EventSeats {
  if (typeof value !== 'object' || value === null) return false
  const { id, seatsLeft } = value as Record<string, unknown>
  return typeof id === 'string' && Number.isInteger(seatsLeft)
}
