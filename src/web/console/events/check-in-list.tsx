import { region } from '#contract/region.ts'
import type { CheckInEntry } from '#contract/console/rsvp.ts'
import { formatMoney } from '#contract/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { RowMenu } from '../ui/row-menu.tsx'

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
        <li key={entry.id} data-id={entry.id} className={entry.arrived > 0 ? 'arrived' : undefined}>
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
          ) : entry.arrived > 0 && entry.arrived <= entry.guests ? (
            <span className="buttons">
              <Button
                variant="line"
                size="small"
                aria-label={`Undo check-in of ${entry.name}`}
                onClick={() => onMark(entry.id, 0)}
              >
                Undo
              </Button>
              <Button
                variant="line"
                size="small"
                aria-label={`Check in one more of ${entry.name}`}
                onClick={() => onMark(entry.id, entry.arrived + 1)}
              >
                One more
              </Button>
            </span>
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
            <span className="buttons">
              {entry.guests > 0 && <SomeArrived entry={entry} onMark={onMark} />}
              <Button
                variant="line"
                size="small"
                aria-label={`Check in ${entry.guests > 0 ? `${entry.guests + 1}: ` : ''}${entry.name}`}
                onClick={() => onMark(entry.id, entry.guests + 1)}
              >
                Check in{entry.guests > 0 && ` ${entry.guests + 1}`}
              </Button>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Part of a party: one of two, or however many came. */
function SomeArrived({ entry, onMark }: { entry: CheckInEntry; onMark(rsvpId: string, arrived: number): void }) {
  const { id, name, guests } = entry
  const counts = Array.from({ length: guests }, (_, index) => index + 1)
  return (
    <RowMenu
      name={`Check in part of ${name}’s party`}
      items={counts.map((count) => ({ label: `Only ${count} of ${guests + 1}`, onSelect: () => onMark(id, count) }))}
    />
  )
}

function detailsOf({ email, meals, tickets = [], guests, arrived, isWalkIn, paid }: CheckInEntry): string {
  const parts = [
    arrived > 0 ? `${arrived > guests ? arrived : `${arrived} of ${guests + 1}`} checked in` : '',
    isWalkIn ? 'walk-in' : '',
    tickets.join(', '),
    meals.join(', '),
    paid > 0 ? `paid ${formatMoney(paid, region().currency)}` : '',
    arrived > 0 ? '' : (email ?? ''),
  ]
  return parts.filter(Boolean).join(' · ')
}
