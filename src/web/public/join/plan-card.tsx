import type { CSSProperties, ReactNode } from 'react'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { Spot, type SpotName } from '#web/ui/picture.tsx'
import { levelPrice } from './level-price.ts'

/** One membership level; `children` is its button. */
export function PlanCard({ level, children }: { level: MembershipLevel; children?: ReactNode }) {
  const { amount, period, renews } = levelPrice(level)
  const crest = crestOf(level.key)
  return (
    <article className="plan">
      <div className="crest printed" style={{ '--crest': `var(--${crest.ink})` } as CSSProperties}>
        <Spot name={crest.spot} bare />
      </div>
      <div className="plan-body">
        <h2>{level.name}</h2>
        <p className="price">
          {amount} <small>{renews ? `${period}, renews automatically` : period}</small>
        </p>
        <p className="soft">{level.description}</p>
        {children}
      </div>
    </article>
  )
}

interface Crest {
  spot: SpotName
  ink: string
}

const CRESTS: Record<string, Crest> = {
  medical_student: { spot: 'stethoscope', ink: 'sage' },
  resident_fellow: { spot: 'peach', ink: 'mist' },
  associate_member: { spot: 'mortar', ink: 'blush' },
  annual_member: { spot: 'lotus', ink: 'marigold' },
  life_member: { spot: 'lamp', ink: 'deep' },
}

/** A level that officers add later gets the logo's flower. */
function crestOf(key: string): Crest {
  return CRESTS[key] ?? { spot: 'rose', ink: 'sand' }
}
