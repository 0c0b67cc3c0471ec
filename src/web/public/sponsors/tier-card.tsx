import type { CSSProperties, ReactNode } from 'react'
import type { SponsorTier } from '#contract/public/sponsors.ts'
import { Spot, type SpotName } from '#web/ui/picture.tsx'

/** One sponsorship tier; `children` is its button. */
export function TierCard({ tier, children }: { tier: SponsorTier; children: ReactNode }) {
  const { name, amountLabel, benefits } = tier
  const crest = CRESTS[name] ?? OTHER_CREST
  return (
    <article className="plan tier">
      <div className="crest printed" style={{ '--crest': `var(--${crest.ink})` } as CSSProperties}>
        <Spot name={crest.spot} bare />
      </div>
      <div className="plan-body">
        <h3>{name}</h3>
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
