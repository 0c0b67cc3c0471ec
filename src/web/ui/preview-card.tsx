import type { ReactNode } from 'react'
import { Link } from './link.tsx'

interface CardProps {
  title: string
  /** Makes the whole card a link, through its heading. */
  to?: string
  /** Flush with the top edge, 4:3. */
  picture?: ReactNode
  children?: ReactNode
}

export function PreviewCard({ title, to, picture, children }: CardProps) {
  return (
    <article className="preview-card">
      {picture}
      <div className="preview-card-body">
        <h3>
          {to ? (
            <Link to={to} carriesPicture>
              {title}
            </Link>
          ) : (
            title
          )}
        </h3>
        {children}
      </div>
    </article>
  )
}
