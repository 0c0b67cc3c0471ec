import type { CheckInEntry } from '#contract/console/rsvp.ts'
import { formatMoney } from '#contract/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'

interface CheckInListProps {
  entries: readonly CheckInEntry[]
  isSearched: boolean
  /** Shows remove buttons instead of check-in buttons, so that the two are never next to each other. */
  isEditing: boolean
  onMark(rsvpId: string, arrived: number): void
  onRemove(entry: CheckInEntry): void
}

/** All guests by name, each with one action. */
export function CheckInList({ entries, isSearched, isEditing, onMark, onRemove }: CheckInListProps) {
  if (entries.length === 0) {
    return <p className="card">{isSearched ? 'No guests match. Add a walk-in?' : 'No RSVPs yet.'}</p>
  }
  return (
    <ul className="check-in-list">
      {entries.map((entry) => (
        <li key={entry.id} className={entry.arrived > 0 ? 'arrived' : undefined}>
          <div>
            <p className="check-in-name">
              {entry.name} {entry.guests > 0 && <span className="soft">+ {entry.guests}</span>}
            </p>
            <p className="small soft">{detailsOf(entry)}</p>
          </div>
          {entry.place === 'waiting' && <Badge tone="warn">Waitlist</Badge>}
          {entry.place === 'paying' && <Badge tone="warn">Not paid yet</Badge>}
          {isEditing ? (
            <Button variant="line" size="small" aria-label={`Remove ${entry.name}`} onClick={() => onRemove(entry)}>
              Remove
            </Button>
          ) : entry.arrived > 0 ? (
            <Button
              variant="line"
              size="small"
              aria-label={`Undo check-in of ${entry.name}`}
              onClick={() => onMark(entry.id, 0)}
            >
              Undo
            </Button>
          ) : (
            <Button
              variant="line"
              size="small"
              aria-label={`Check in ${entry.name}`}
              onClick={() => onMark(entry.id, entry.guests + 1)}
            >
              Check in
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function detailsOf({ email, meals, arrived, isWalkIn, paid }: CheckInEntry): string {
  const parts = [
    arrived > 0 ? `${arrived} checked in` : '',
    isWalkIn ? 'walk-in' : '',
    meals.join(', '),
    paid > 0 ? `paid ${formatMoney(paid, 'usd')}` : '',
    arrived > 0 ? '' : (email ?? ''),
  ]
  return parts.filter(Boolean).join(' · ')
}
