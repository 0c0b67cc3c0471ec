import type { CSSProperties, ReactNode } from 'react'
import type { SponsorTier } from '#contract/public/sponsors.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Spot, type SpotName } from '#web/ui/picture.tsx'

interface TierCardProps {
  tier: SponsorTier
  /** Ringed: the one to look at first. */
  isFeatured: boolean
  /** Its button. */
  children: ReactNode
}

/** One sponsorship tier; one whose amount the sponsor names lies across the row. */
export function TierCard({ tier, isFeatured, children }: TierCardProps) {
  const { name, amountLabel, unitAmount, benefits } = tier
  const crest = CRESTS[name] ?? OTHER_CREST
  const kind = unitAmount === null ? ' wide' : isFeatured ? ' featured' : ''
  return (
    <article className={`plan tier${kind}`}>
      <div className="crest printed" style={{ '--crest': `var(--${crest.ink})` } as CSSProperties}>
        <Spot name={crest.spot} bare />
      </div>
      <div className="plan-body">
        <div className="tier-name">
          <h3>{name}</h3>
          {isFeatured && <Badge>Recommended</Badge>}
        </div>
        <p className="price">{amountLabel}</p>
        <ul className="ticks">
          {benefits.map((benefit) => (
            <li key={benefit}>{benefit}</li>
          ))}
        </ul>
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
  Silver: { spot: 'rose', ink: 'mist' },
  Gold: { spot: 'lotus', ink: 'marigold' },
  Platinum: { spot: 'peach', ink: 'sage' },
  Patron: { spot: 'lamp', ink: 'deep' },
}
/** For the custom amount and for tiers that officers add later. */
const OTHER_CREST: Crest = { spot: 'mortar', ink: 'blush' }
