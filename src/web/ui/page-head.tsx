import type { ReactNode } from 'react'

interface PageHeadProps {
  title: string
  lead?: ReactNode
  eyebrow?: string | undefined
  /** Below the lead: search, buttons. */
  children?: ReactNode
}

export function PageHead({ title, lead, eyebrow, children }: PageHeadProps) {
  return (
    <div className="page-head printed">
      <div className="wrap">
        {eyebrow && <p className="eyebrow">{eyebrow}</p>}
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
        {children && <div className="under">{children}</div>}
      </div>
    </div>
  )
}
