import { isUpcoming, takesPlace, type AssociationEvent } from '#contract/public/events.ts'

/**
 * Events that a newsletter may show: upcoming and not canceled, the soonest first. An event that a block already uses stays in the list, labeled past or
 * canceled.
 */
export function eventChoices(
  events: Iterable<AssociationEvent>,
  { today, used }: { today: string; used: ReadonlySet<string> },
): { id: string; title: string }[] {
  return [...events]
    .filter((event) => used.has(event.id) || (isUpcoming(event, today) && takesPlace(event)))
    .sort((a, b) => sortKey(a).localeCompare(sortKey(b)))
    .map((event) => ({ id: event.id, title: `${event.date}: ${event.title}${label(event, today)}` }))
}

function sortKey({ startsOn, title }: AssociationEvent): string {
  return `${startsOn ?? ''} ${title}`
}

function label(event: AssociationEvent, today: string): string {
  if (!takesPlace(event)) return ' (canceled)'
  return isUpcoming(event, today) ? '' : ' (past)'
}
