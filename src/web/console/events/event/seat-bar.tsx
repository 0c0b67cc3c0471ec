import type { ConsoleEvent } from '#contract/console/events/events.ts'

/** How many seats are taken, in figures and as a bar. */
export function SeatBar({ event: { taken, capacity } }: { event: Pick<ConsoleEvent, 'taken' | 'capacity'> }) {
  if (capacity === null) return <span>{taken} coming</span>
  return (
    <span className="seat-bar">
      {taken} of {capacity}
      <meter min={0} max={capacity} high={capacity * 0.9} value={taken} aria-label="Seats taken" />
    </span>
  )
}
