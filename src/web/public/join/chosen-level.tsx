import { useLayoutEffect, useRef, type ReactNode } from 'react'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { Picture } from '#web/ui/picture.tsx'
import { Card } from '#web/ui/card.tsx'
import { levelPrice } from './level-price.ts'

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
      <div className="wrap two reversed">
        <div className="flow">
          <p>
            <button type="button" className="text-button back" onClick={onBack}>
              Back to the plans
            </button>
          </p>
          <h2 ref={heading} tabIndex={-1}>
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
          <div className="membership-picture">
            <Picture
              src="/art/hero-paisley.svg"
              width={1200}
              height={1000}
              alt="The tubing of a stethoscope drawn as a paisley full of flowers"
            />
          </div>
        </div>
        <Card title="Your details">{children}</Card>
      </div>
    </section>
  )
}
