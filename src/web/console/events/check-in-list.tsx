import type { DoorEntry } from '#contract/console-rsvp.ts'
import { formatMoney } from '#contract/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'

interface DoorEntriesProps {
  entries: readonly DoorEntry[]
  isSearched: boolean
  /** People are taken off instead of checked in: the two are never side by side under a hurried thumb. */
  isEditing: boolean
  onMark(rsvpId: string, arrived: number): void
  onRemove(entry: DoorEntry): void
}

/** Everybody by name, each with the one thing that is done at a door. */
export function DoorEntries({ entries, isSearched, isEditing, onMark, onRemove }: DoorEntriesProps) {
  if (entries.length === 0) {
    return (
      <p className="sheet">
        {isSearched
          ? 'Nobody by that name is on the list. Add a walk-in?'
          : 'Nobody has said yet that they are coming.'}
      </p>
    )
  }
  return (
    <ul className="door-entries">
      {entries.map((entry) => (
        <li key={entry.id} className={entry.arrived > 0 ? 'arrived' : undefined}>
          <div>
            <p className="door-name">
              {entry.name} {entry.guests > 0 && <span className="soft">+ {entry.guests}</span>}
            </p>
            <p className="small soft">{noteOf(entry)}</p>
          </div>
          {entry.place === 'waiting' && <Badge tone="warn">Waitlist</Badge>}
          {entry.place === 'paying' && <Badge tone="warn">Not paid yet</Badge>}
          {isEditing ? (
            <Button
              variant="line"
              size="small"
              aria-label={`Take ${entry.name} off the list`}
              onClick={() => onRemove(entry)}
            >
              Remove
            </Button>
          ) : entry.arrived > 0 ? (
            <Button
              variant="line"
              size="small"
              aria-label={`Take back the check-in of ${entry.name}`}
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

function noteOf({ email, meals, arrived, isWalkIn, paid }: DoorEntry): string {
  const parts = [
    arrived > 0 ? `${arrived} in` : '',
    isWalkIn ? 'walk-in' : '',
    meals.join(', '),
    paid > 0 ? `paid ${formatMoney(paid, 'usd')}` : '',
    arrived > 0 ? '' : (email ?? ''),
  ]
  return parts.filter(Boolean).join(' · ')
}
