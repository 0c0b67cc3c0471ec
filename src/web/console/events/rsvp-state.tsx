import type { RsvpEventSummary } from '#contract/console/rsvp.ts'
import { Badge } from '#web/ui/badge.tsx'

const STATES = {
  none: ['quiet', 'RSVPs off'],
  open: ['ok', 'Open'],
  full: ['warn', 'Full'],
  closed: ['quiet', 'Closed'],
  off: ['bad', 'Canceled'],
  over: ['quiet', 'Ended'],
} as const

export function RsvpState({ state }: Pick<RsvpEventSummary, 'state'>) {
  const [tone, label] = STATES[state]
  return <Badge tone={tone}>{label}</Badge>
}

/** The number of people, including guests. */
export function RsvpCounts({
  event: { capacity, counts, state },
}: {
  event: Pick<RsvpEventSummary, 'capacity' | 'counts' | 'state'>
}) {
  // Check-in counts before the cancellation no longer apply.
  if (state === 'off') return <p>This event is canceled.</p>
  const { coming, waiting, paying, held, arrived } = counts
  return (
    <p>
      <strong>{coming}</strong>
      {capacity === null ? ' coming' : ` of ${capacity} seats taken`}
      {paying > 0 && `, ${paying} awaiting payment`}
      {held > 0 && `, ${held} awaiting confirmation`}
      {waiting > 0 && `, ${waiting} on the waitlist`}
      {arrived > 0 && `, ${arrived} checked in`}
    </p>
  )
}
