import type { ReactNode } from 'react'

interface CardProps {
  title?: string
  danger?: boolean
  /** Placed opposite the title: a badge or a small button. */
  aside?: ReactNode
  children: ReactNode
}

export function Card({ title, danger, aside, children }: CardProps) {
  return (
    <section className={danger ? 'card danger' : 'card'}>
      {title && (
        <div className="card-head">
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}
