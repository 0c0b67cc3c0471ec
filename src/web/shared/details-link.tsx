import type { ReactNode } from 'react'
import type { AssociationEvent } from '#contract/public/events.ts'
import { Link } from '#web/ui/link.tsx'

interface DetailsLinkProps {
  event: Pick<AssociationEvent, 'title' | 'detailsLink'>
  className: string
  children: ReactNode
}

/** An event's button. PDFs open in a new tab. Screen readers hear the event's title. */
export function DetailsLink({ event: { title, detailsLink }, className, children }: DetailsLinkProps) {
  const isPdf = /\.pdf$/i.test(detailsLink)
  const label = (
    <>
      {children}
      <span className="visually-hidden">
        : {title}
        {isPdf && ' (PDF, opens in a new tab)'}
      </span>
    </>
  )
  if (isPdf) {
    return (
      <a href={detailsLink} className={className} target="_blank" rel="noreferrer">
        {label}
      </a>
    )
  }
  return (
    <Link to={detailsLink} className={className}>
      {label}
    </Link>
  )
}
