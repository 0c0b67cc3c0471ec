import type { ReactNode } from 'react'
import { Link } from './link.tsx'

interface CardProps {
  title: string
  /** The whole card leads there through the heading's link. */
  to?: string
  /** Flush on top, 4:3. */
  picture?: ReactNode
  children?: ReactNode
}

export function Card({ title, to, picture, children }: CardProps) {
  return (
    <article className="card">
      {picture}
      <div className="card-body">
        <h3>{to ? <Link to={to}>{title}</Link> : title}</h3>
        {children}
      </div>
    </article>
  )
}
