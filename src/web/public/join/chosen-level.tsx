import { useLayoutEffect, useRef, type ReactNode } from 'react'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { Card } from '#web/ui/card.tsx'
import { levelPrice } from './level-price.ts'
import { StepLine } from './step-line.tsx'

interface ChosenLevelProps {
  level: MembershipLevel
  onBack(): void
  /** The registration form. */
  children: ReactNode
}

/** The chosen level next to the registration form; replaces the plans. */
export function ChosenLevel({ level, onBack, children }: ChosenLevelProps) {
  const heading = useRef<HTMLHeadingElement | null>(null)
  const { amount, period, renews } = levelPrice(level)

  // The button that was pressed is gone, so focus the heading in the same frame.
  useLayoutEffect(() => {
    heading.current?.focus()
  }, [])

  return (
    <section className="section chosen-level">
      <div className="wrap passage details-first">
        <aside className="panel detail-panel flow" aria-labelledby="chosen-level">
          <p>
            <button type="button" className="text-button back" onClick={onBack}>
              Back to the plans
            </button>
          </p>
          <h2 id="chosen-level" ref={heading} tabIndex={-1}>
            {level.name}
          </h2>
          <p className="price">
            {amount} <small>{renews ? `${period}, renews automatically` : period}</small>
          </p>
          <p className="soft">{level.description}</p>
          {renews && (
            <p className="soft">
              We email you 45 days and 7 days before every renewal with the amount, the card and how to cancel.
            </p>
          )}
        </aside>
        <div>
          <StepLine current={1} />
          <Card title="Your details">{children}</Card>
        </div>
      </div>
    </section>
  )
}
