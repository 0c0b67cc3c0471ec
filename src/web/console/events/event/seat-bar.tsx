import type { ConsoleEvent } from '#contract/console/events/events.ts'

const ALMOST_FULL = 0.9

/** How many seats are taken, in figures and as a bar. */
export function SeatBar({ event: { taken, capacity } }: { event: Pick<ConsoleEvent, 'taken' | 'capacity'> }) {
  if (capacity === null) return <span>{taken} coming</span>
  return (
    <span className="seat-bar">
      {taken} of {capacity}
      {/* Not `meter`, whose parts no browser lays out as told. */}
      <progress
        max={capacity}
        value={taken}
        data-full={taken > capacity * ALMOST_FULL || undefined}
        aria-label="Seats taken"
      />
    </span>
  )
}
