import type { ReactNode } from 'react'
import type { AssociationEvent } from '#contract/events.ts'
import { Link } from '#web/ui/link.tsx'

interface DetailsLinkProps {
  event: Pick<AssociationEvent, 'title' | 'detailsLink'>
  className: string
  children: ReactNode
}

/** The button of an event: a PDF opens in a new tab, everything else as a page. Readers hear which event it is of. */
export function DetailsLink({ event: { title, detailsLink }, className, children }: DetailsLinkProps) {
  const isPdf = /\.pdf$/i.test(detailsLink)
  const words = (
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
        {words}
      </a>
    )
  }
  return (
    <Link to={detailsLink} className={className}>
      {words}
    </Link>
  )
}
