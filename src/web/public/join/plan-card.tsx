import type { CSSProperties, ReactNode } from 'react'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { Spot } from '#web/ui/picture.tsx'
import { crestOf } from './level-crests.ts'
import { levelPrice } from './level-price.ts'

interface PlanCardProps {
  level: MembershipLevel
  /** Ringed: the one to look at first. */
  featured?: boolean
  /** Whom it is for (`level-crests.ts`). */
  audience?: string | undefined
  /** The level's button. */
  children?: ReactNode
}

/** One membership level. */
export function PlanCard({ level, featured, audience, children }: PlanCardProps) {
  const { amount, period, renews } = levelPrice(level)
  const crest = crestOf(level.key)
  return (
    <article className={featured ? 'plan featured' : 'plan'} data-audience={audience}>
      <div className="crest printed" style={{ '--crest': `var(--${crest.ink})` } as CSSProperties}>
        <Spot name={crest.spot} bare />
      </div>
      <div className="plan-body">
        <h2>{level.name}</h2>
        <p className="soft">{level.description}</p>
        <p className="price">
          {amount} <small>{renews ? `${period}, renews automatically` : period}</small>
        </p>
        {children}
      </div>
    </article>
  )
}
