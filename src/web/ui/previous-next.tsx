import type { ReactNode } from 'react'
import { Link } from './link.tsx'

interface Neighbour {
  title: string
  to: string
}

interface NeighboursProps {
  label: string
  previous?: Neighbour | null | undefined
  /** The link to the whole list. */
  all: ReactNode
  next?: Neighbour | null | undefined
}

/** Navigation between items: previous, all, next. */
export function PreviousNext({ label, previous: before, all, next: after }: NeighboursProps) {
  return (
    <nav className="previous-next" aria-label={label}>
      {before && (
        <Link to={before.to} rel="prev">
          <span className="meta">Previous</span> {before.title}
        </Link>
      )}
      {all}
      {after && (
        <Link to={after.to} rel="next">
          <span className="meta">Next</span> {after.title}
        </Link>
      )}
    </nav>
  )
}
