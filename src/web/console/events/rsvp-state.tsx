import type { RsvpEventLine } from '#contract/console-rsvp.ts'
import { Badge } from '#web/ui/badge.tsx'

const STATES = {
  none: ['quiet', 'No RSVPs'],
  open: ['ok', 'Open'],
  full: ['warn', 'Full'],
  closed: ['quiet', 'Closed'],
  off: ['bad', 'Called off'],
  over: ['quiet', 'Over'],
} as const

export function RsvpState({ state }: Pick<RsvpEventLine, 'state'>) {
  const [tone, word] = STATES[state]
  return <Badge tone={tone}>{word}</Badge>
}

/** How many persons, guests included. */
export function RsvpCounts({
  event: { capacity, counts, state },
}: {
  event: Pick<RsvpEventLine, 'capacity' | 'counts' | 'state'>
}) {
  // Who had been checked in by then has no seat any more.
  if (state === 'off') return <p>Nobody has a seat: this event is canceled.</p>
  const { coming, waiting, paying, held, arrived } = counts
  return (
    <p>
      <strong>{coming}</strong>
      {capacity === null ? ' coming' : ` of ${capacity} seats taken`}
      {paying > 0 && `, ${paying} kept while they are paid`}
      {held > 0 && `, ${held} held until they are confirmed`}
      {waiting > 0 && `, ${waiting} waiting`}
      {arrived > 0 && `, ${arrived} arrived`}
    </p>
  )
}
