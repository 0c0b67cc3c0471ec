import type { MembershipLevel } from '#contract/public/membership.ts'
import { Button } from '#web/ui/button.tsx'
import { PlanCard } from './plan-card.tsx'
import type { PlanLabel } from '#web/shared/plan-label.rules.ts'

interface PlanListProps {
  levels: MembershipLevel[]
  getLabel(level: MembershipLevel): PlanLabel
  /** What changing to each level costs, by level key. */
  changes: ReadonlyMap<string, string>
  /** The level whose button is busy. */
  busyKey: string | null
  onChoose(level: MembershipLevel): void
  onPreload(): void
}

/** The level most physicians choose; only its button is solid. */
const FEATURED_LEVEL = 'annual_member'

export function PlanList({
  levels,
  getLabel: labelOf,
  changes,
  busyKey,
  onChoose,
  onPreload: onApproach,
}: PlanListProps) {
  return (
    <div className="plans">
      {levels.map((level) => {
        const label = labelOf(level)
        return (
          <PlanCard key={level.key} level={level}>
            <div className="plan-action">
              <Button
                variant={level.key === FEATURED_LEVEL ? 'solid' : 'line'}
                size="small"
                id={planButtonId(level.key)}
                disabled={label.action === 'none'}
                reason={label.reason}
                busy={busyKey === level.key}
                busyLabel="One moment"
                onClick={() => onChoose(level)}
                onPointerEnter={onApproach}
              >
                {label.label}
              </Button>
              {changes.has(level.key) && <p>{changes.get(level.key)}</p>}
            </div>
          </PlanCard>
        )
      })}
    </div>
  )
}

export function planButtonId(levelKey: string): string {
  return `plan-${levelKey}`
}
