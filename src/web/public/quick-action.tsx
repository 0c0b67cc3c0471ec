import type { CSSProperties, ReactNode } from 'react'
import { Link } from '#web/ui/link.tsx'
import { Spot, type SpotName } from '#web/ui/picture.tsx'

export interface QuickActionProps {
  title: string
  text: ReactNode
  to: string
  spot: SpotName
  ink: string
}

/** A large colored card that is one link. */
export function QuickAction({ title, text, to, spot, ink }: QuickActionProps) {
  return (
    <div className="quick-action" style={{ '--quick-action': `var(--${ink})` } as CSSProperties}>
      <Spot name={spot} bare />
      <h3>
        <Link to={to}>{title}</Link>
      </h3>
      <p>{text}</p>
    </div>
  )
}
