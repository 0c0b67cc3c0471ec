import type { MembershipLevel } from '#contract/public/membership.ts'
import { paths } from '#web/app/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { AudienceChoice } from './audience-choice.tsx'
import { crestOf } from './level-crests.ts'
import { PlanCard } from './plan-card.tsx'
import { levelText, type PlanLabel } from '#web/shared/plan-label.rules.ts'

interface PlanListProps {
  /** Whether to ask first whom the membership is for. */
  asks: boolean
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

export function PlanList({ asks, levels, getLabel, changes, busyKey, onChoose, onPreload }: PlanListProps) {
  const isQuestion = asks && new Set(levels.map(({ key }) => crestOf(key).audience)).size > 1
  return (
    <>
      {isQuestion && <AudienceChoice />}
      <div className="plans">
        {levels.map((level) => {
          const { label, action, reason } = getLabel(level)
          const isFeatured = level.key === FEATURED_LEVEL
          return (
            <PlanCard
              key={level.key}
              level={level}
              featured={isFeatured}
              audience={isQuestion ? crestOf(level.key).audience : undefined}
            >
              <div className="plan-action">
                <Button
                  variant={isFeatured ? 'solid' : 'line'}
                  id={planButtonId(level.key)}
                  disabled={action === 'none'}
                  reason={reason}
                  busy={busyKey === level.key}
                  busyLabel="One moment"
                  onClick={() => onChoose(level)}
                  onPointerEnter={onPreload}
                >
                  <Label text={label} levelKey={level.key} />
                </Button>
                {changes.has(level.key) && <p>{changes.get(level.key)}</p>}
              </div>
            </PlanCard>
          )
        })}
        <aside className="panel plans-note" aria-labelledby="plans-note">
          <h2 id="plans-note">Not sure which one fits?</h2>
          <p className="soft">
            <Link to={paths.contact()}>Ask us</Link>; a real person replies within <span className="nowrap">24-48 hours</span>.
          </p>
        </aside>
      </div>
    </>
  )
}

/** The level's key reads as a name: capitalized by the style sheet. */
function Label({ text, levelKey }: { text: string; levelKey: string }) {
  const name = levelText(levelKey)
  if (!text.endsWith(name)) return text
  return (
    <span>
      {text.slice(0, -name.length)}
      <span className="level-name">{name}</span>
    </span>
  )
}

export function planButtonId(levelKey: string): string {
  return `plan-${levelKey}`
}
