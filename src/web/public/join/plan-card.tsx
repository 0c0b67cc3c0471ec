import type { CSSProperties, ReactNode } from 'react'
import type { LevelPresentation, MembershipLevel } from '#contract/public/membership.ts'
import { Spot } from '#web/ui/picture.tsx'
import { levelPrice } from './level-price.ts'

interface PlanCardProps {
  level: MembershipLevel
  /** What officers say about it, if they do. */
  presentation: LevelPresentation | undefined
  /** Ringed: the one to look at first. */
  isFeatured: boolean
  /** Whom it is for; the style sheet hides it when another answer is chosen. */
  audiences: readonly string[]
  /** The level's button. */
  children: ReactNode
}

/** One membership level. */
export function PlanCard({ level, presentation, isFeatured, audiences, children }: PlanCardProps) {
  const { amount, period, renews } = levelPrice(level)
  const { benefits = [], note, spot, ink } = presentation ?? {}
  return (
    <article className={isFeatured ? 'plan featured' : 'plan'} data-audience={audiences.join(' ') || undefined}>
      <div className="crest printed" style={{ '--crest': `var(--${ink ?? 'sand'})` } as CSSProperties}>
        <Spot name={spot ?? 'rose'} bare />
      </div>
      <div className="plan-body">
        <h2>{level.name}</h2>
        <p className="soft">{level.description}</p>
        <p className="price">
          {amount} <small>{renews && !note ? `${period}, renews automatically` : period}</small>
        </p>
        {benefits.length > 0 && (
          <ul className="ticks">
            {benefits.map((benefit) => (
              <li key={benefit}>{benefit}</li>
            ))}
          </ul>
        )}
        <div className="plan-action">
          {children}
          {note && <p className="soft">{note}</p>}
        </div>
      </div>
    </article>
  )
}
