import { isUpcoming, takesPlace, type AssociationEvent } from '#contract/events.ts'

/**
 * Events a newsletter may show: those to come that take place, the soonest first. One that a block shows already stays in the list, and says what became
 * of it.
 */
export function eventChoices(
  events: Iterable<AssociationEvent>,
  { today, used }: { today: string; used: ReadonlySet<string> },
): { id: string; title: string }[] {
  return [...events]
    .filter((event) => used.has(event.id) || (isUpcoming(event, today) && takesPlace(event)))
    .sort((a, b) => order(a).localeCompare(order(b)))
    .map((event) => ({ id: event.id, title: `${event.date}: ${event.title}${remark(event, today)}` }))
}

function order({ startsOn, title }: AssociationEvent): string {
  return `${startsOn ?? ''} ${title}`
}

function remark(event: AssociationEvent, today: string): string {
  if (!takesPlace(event)) return ' (canceled)'
  return isUpcoming(event, today) ? '' : ' (past)'
}
