import type { ReactNode } from 'react'
import { Link } from './link.tsx'

interface Neighbour {
  title: string
  to: string
}

interface NeighboursProps {
  label: string
  before?: Neighbour | null | undefined
  /** The link to the whole list. */
  all: ReactNode
  after?: Neighbour | null | undefined
}

/** The way on from one of many: to the one before, to all, to the one after. */
export function Neighbours({ label, before, all, after }: NeighboursProps) {
  return (
    <nav className="neighbours" aria-label={label}>
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
